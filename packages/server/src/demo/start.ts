import { type Lifecycle, withLifecycle } from '../base/lifecycle.ts'
import { createLog } from '../base/log/create-log.ts'
import type { Instant } from '../core/time/instant.ts'
import type { App } from '../http/app.ts'
import { type Config, readConfig } from '../process/config.ts'
import { localUrl } from '../process/listening.ts'
import { openStorage, type Storage } from '../process/open-storage.ts'
import { buildApp, listen } from '../process/server.ts'
import { startUpkeep } from '../process/start-upkeep.ts'
import { type DatabaseClock, readClock } from '../storage/engine/clock.ts'
import { addressesAt, HOSTS, resolveStandIns } from './places.ts'
import { createSignInLink, type SignInLink } from './sign-in-link.ts'
import { type ChainStandIn, createChain, NETWORK } from './stand-ins/chain.ts'
import { createReceiver, type ReceiverStandIn, startStandIns } from './stand-ins/server.ts'
import { createShop, type ShopSecrets, type ShopStandIn } from './stand-ins/shop.ts'

/** The gateway of the demo with its stand-ins, not listening yet. */
export interface DemoGateway {
  readonly app: App
  readonly storage: Storage
  readonly config: Config
  readonly clock: DemoClock
  /** The time of the gateway: the demo's while it is turned, else the database's. */
  readonly time: DatabaseClock
  readonly link: SignInLink
  readonly chain: ChainStandIn
  readonly shop: ShopStandIn
  readonly receiver: ReceiverStandIn
  readonly standInPort: number
  /** The real time of the start, by the database. */
  readonly startedAt: number
  /** Runs one round of the workers that act when a time has come. */
  round(): Promise<void>
  /** Does the work of every few days: it seals the audit log and keeps the sums. */
  upkeep(): Promise<void>
  /** Listens, and returns the URL for people. */
  listen(): Promise<string>
  stop(): Promise<void>
}

export interface DemoPlace {
  readonly folder: string
  readonly port: number
  readonly logLevel: string | undefined
  readonly lastStandInPort: number | undefined
  readonly shop: ShopSecrets
  /** How far in the past the clock begins; undefined for a demo that goes on. */
  readonly beginsMsAgo: number | undefined
}

/** The loopback only, whatever the environment says: the demo has a link that signs people in. */
const HOST = '127.0.0.1'
/** The least that argon2 accepts: the passwords are random, and people sign in often in 30 days. */
const PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Builds the real gateway on its own folder. Nothing of the environment reaches its settings. */
export function openDemo(place: DemoPlace): Promise<DemoGateway> {
  return withLifecycle(async (lifecycle) => {
    const clock = createDemoClock()
    let estimate = (): number => 0
    const chain = createChain(() => estimate())
    const shop = createShop(place.shop, HOSTS.shop)
    const receiver = createReceiver()
    const standIns = lifecycle.add(
      await startStandIns(
        {
          '/rpc': chain.answer,
          '/acp': shop.shop,
          '/provider': shop.provider,
          '/hooks': receiver.answer,
        },
        place.lastStandInPort,
      ),
    )
    const config = readConfig(settingsOf(place, standIns.port))
    const { log, stop: stopLog } = createLog(config.log)
    lifecycle.onStop(stopLog)
    const storage = await openStorage(config, log)
    lifecycle.onStop(() => storage.db.close())
    const startedAt = await readClock(storage.db)
    // The partitions of the past are created with the app.
    if (place.beginsMsAgo !== undefined) clock.set(startedAt - place.beginsMsAgo)
    const link = createSignInLink()
    const seams = {
      turned: clock.turned,
      // The demo sets its clock between two requests, so that a request has one time anyway.
      isClockAlone: true,
      resolve: resolveStandIns,
      passwordCost: PASSWORD_COST,
      addRoutes: (app: App) => link.addRoute(app),
    }
    const built = lifecycle.add(
      await buildApp(storage, { ...config, environment: 'demo' }, log, seams),
    )
    estimate = built.clock.estimate
    const upkeep = startWork(lifecycle, storage, built, log)
    const parts = { app: built.app, storage, config, clock, link, chain, shop, receiver, startedAt }
    return {
      ...parts,
      standInPort: standIns.port,
      time: built.clock.read,
      round: built.round,
      upkeep,
      async listen() {
        await listen(built.app, config)
        return localUrl(built.app)
      },
      stop: lifecycle.stop,
    }
  })
}

function startWork(
  lifecycle: Lifecycle,
  storage: Storage,
  built: Parameters<typeof startUpkeep>[2],
  log: Parameters<typeof startUpkeep>[3],
): () => Promise<void> {
  const { housekeeping, logSealer, analytics } = startUpkeep(lifecycle, storage, built, log)
  return async () => {
    await housekeeping.round()
    await logSealer.round()
    await analytics.round()
  }
}

function settingsOf({ folder, port, logLevel }: DemoPlace, standInPort: number) {
  return {
    PURSER_DATA_DIR: folder,
    PURSER_HOST: HOST,
    PURSER_PORT: String(port),
    PURSER_LOG_LEVEL: logLevel ?? 'error',
    PURSER_X402_NETWORKS: `${NETWORK}=${addressesAt(standInPort).rpc}`,
    PURSER_X402_FINALITY: 'latest',
  }
}

/** The clock of the demo: it stands in the past while the past is made, and is real afterwards. */
interface DemoClock {
  /** The instant in the past; undefined while time is real. */
  turned(): Instant | undefined
  /** Moves to this instant. The clock never goes back, because no real clock does either. */
  set(at: Instant): void
  /** Lets time be real from now on. */
  release(): void
}

function createDemoClock(): DemoClock {
  let at: Instant | undefined
  return {
    turned: () => at,
    set(next) {
      if (at === undefined || next > at) at = next
    },
    release() {
      at = undefined
    },
  }
}

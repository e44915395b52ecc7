import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { issueResetLink } from '../operator/manage-members.ts'
import { tryAddress } from '../process/listening.ts'
import { readOrganizations } from '../process/setup.ts'
import { callerWithKey, enter } from './caller.ts'
import { makePast, PAST_MS } from './past/make-past.ts'
import { ADA, newPassword } from './past/people.ts'
import { newShopSecrets } from './past/set-up.ts'
import { createAgentsOf } from './past/spend.ts'
import { addressesAt } from './places.ts'
import { type DemoRecord, markFolder, readRecord, writeRecord } from './record.ts'
import { refuseEnvironment, refuseForeignFolder, refuseOtherOrganization } from './refusals.ts'
import type { Owner } from './sign-in-link.ts'
import { startSpender } from './spender.ts'
import { type DemoGateway, openDemo } from './start.ts'

export interface DemoOptions {
  /** The folder of the demo. */
  readonly dataDir?: string | undefined
  readonly port?: number | undefined
  /** Without the spends in the background. */
  readonly still?: boolean | undefined
  /** Removes the demo in the folder first. */
  readonly reset?: boolean | undefined
}

/** How far the start is, for a person who waits. */
export type TellProgress = (text: string) => void

export interface RunningDemo {
  readonly url: string
  /** Signs the owner in, once. */
  readonly signInUrl: string
  readonly owner: Owner
  readonly folder: string
  /** Whether this start went on with an earlier demo. */
  readonly isContinued: boolean
  stop(): Promise<void>
}

const FOLDER = './.purser-demo'
const PORT = 3_000

/**
 * Starts the demo: a gateway with an organization that has thirty days behind it (ADR 56). Throws one
 * sentence for a person if it must not start.
 */
export async function startDemo(
  env: Readonly<Record<string, string | undefined>>,
  options: DemoOptions = {},
  tell: TellProgress = () => {},
): Promise<RunningDemo> {
  refuseEnvironment(env)
  const folder = resolve(options.dataDir ?? FOLDER)
  refuseForeignFolder(folder)
  const port = options.port ?? readPort(env['PURSER_PORT'])
  await tryAddress({ host: '127.0.0.1', port, portHint: 'choose another port with --port' })
  const known = options.reset ? undefined : await readRecord(folder)
  const shop = known?.shop ?? newShopSecrets()
  if (!known) {
    await rm(folder, { recursive: true, force: true })
    await markFolder(folder)
  }
  compileQuickly()
  tell('Opening the embedded database …')
  const gateway = await openDemo({
    ...{ folder, port, shop, logLevel: env['PURSER_LOG_LEVEL'] },
    lastStandInPort: known?.standInPort,
    beginsMsAgo: known ? undefined : PAST_MS,
  })
  tell(known ? 'Continuing the demo …' : 'Creating the organization …')
  try {
    const { record, owner } = known
      ? await goOn(gateway, known, folder)
      : await makePast(gateway, shop, (part) =>
          tell(`Making 30 days of spends: ${Math.round(part * 100)} %`),
        )
    await writeRecord(folder, { ...record, standInPort: gateway.standInPort })
    gateway.link.signsIn(owner)
    const url = await gateway.listen()
    const spender = options.still
      ? undefined
      : startSpender(createAgentsOf(gateway, record), () => {})
    return {
      ...{ url, signInUrl: `${url}${gateway.link.path}`, owner, folder },
      isContinued: known !== undefined,
      async stop() {
        await spender?.stop()
        await gateway.stop()
      },
    }
  } catch (error) {
    await gateway.stop().catch(() => {})
    throw error
  }
}

/**
 * Lets V8 compile the embedded database once, without optimizing it. The statements of the demo are few,
 * so it would spend more time on optimizing than it saves: 3.5 of 15 seconds of CPU. Must be called
 * before the database is loaded.
 */
function compileQuickly(): void {
  setFlagsFromString('--liftoff-only')
}

/** Continues an earlier demo. The owner gets a new password, because only the last process knew it. */
async function goOn(
  gateway: DemoGateway,
  record: DemoRecord,
  folder: string,
): Promise<{ readonly record: DemoRecord; readonly owner: Owner }> {
  const organizations = await readOrganizations(gateway.storage)
  const found = organizations.map(({ organizationId }) => organizationId)
  refuseOtherOrganization(folder, record.organizationId, found)
  gateway.chain.fund(record.walletAddress, FUNDS)
  if (gateway.standInPort !== record.standInPort) await moveStandIns(gateway, record)
  return { record, owner: await resetOwner(gateway) }
}

const FUNDS = 100_000_000n

/** Another program has the port of the last start, so the settings that name it change. */
async function moveStandIns({ app, standInPort }: DemoGateway, record: DemoRecord): Promise<void> {
  const operator = callerWithKey(app, record.apiKey)
  const addresses = addressesAt(standInPort)
  const { acp } = await operator.get('/organization')
  const instruments = acp.instruments.map(
    ({ credentialHint: _, ...instrument }: { readonly credentialHint: string }) => ({
      ...instrument,
      baseUrl: addresses.provider,
    }),
  )
  await operator.patch('/organization', { webhookUrl: addresses.hooks, acp: { instruments } })
  await operator.patch(`/vendors/${record.shopVendorId}`, { acp: { apiBaseUrl: addresses.shop } })
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return PORT
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new Error('PURSER_PORT must be a number from 0 to 65535.')
}

/** Sets a new password for the owner with a reset link, as an operator would do. */
async function resetOwner({ app, storage }: Pick<DemoGateway, 'app' | 'storage'>): Promise<Owner> {
  const { email } = ADA
  const { token } = await issueResetLink(storage, { organizationId: undefined, email })
  const password = newPassword()
  await enter(app, '/console/api/accept', { token, password })
  return { email, password }
}

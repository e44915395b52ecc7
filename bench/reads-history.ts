import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { toUuid } from '../packages/server/src/core/id.ts'
import { readConfig } from '../packages/server/src/process/config.ts'
import { openStorage } from '../packages/server/src/process/open-storage.ts'
import { createOrganization } from '../packages/server/src/process/setup.ts'
import { ensurePartitions } from '../packages/server/src/storage/engine/partitions.ts'
import { mintApiKey } from '../packages/server/src/storage/secrets/api-key-secret.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import type { BenchPlace } from './harness.ts'
import {
  ADD_APPROVALS,
  ADD_BOUND_KEY,
  ADD_DELIVERIES,
  ADD_EVENTS,
  ADD_LEAVES,
  ADD_PART,
  ADD_SMALL_THINGS,
  ADD_SPENDERS,
  ADD_TRANSACTIONS,
  ADD_WAITING,
  EMPTY_PART,
  FIND_SAMPLES,
  MEET_WORKERS,
  PREPARE,
  RENEW,
} from './reads-statements.ts'

/**
 * The history that bench/reads.ts lists: a year of transactions of one organization, with the
 * events, deliveries, leaves and approvals that belong to them, written with SQL. A few agents and
 * vendors have most of the rows, and some values occur a handful of times.
 */
const DAYS = 365
const DAY_MS = 86_400_000
const PART = 50_000

/** Values to ask for. */
export interface Samples {
  readonly busyAgent: string
  readonly quietAgent: string
  /** The mandates that the busy agent had first and has now. */
  readonly firstMandate: string
  readonly lastMandate: string
  readonly approval: string
  readonly transaction: string
  readonly oldEvent: string
  readonly endpoint: string
  readonly card: string
  readonly connection: string
}

export interface History {
  readonly transactions: number
  readonly apiKey: string
  /** A key that is bound to three agents. */
  readonly boundKey: string
  readonly samples: Samples
}

/**
 * Returns the history of this place, which an earlier run may have left there. Otherwise it makes
 * one, and leaves it.
 */
export async function findHistory(place: BenchPlace, transactions: number): Promise<History> {
  const file = join(place.PURSER_DATA_DIR, 'history.json')
  if (!existsSync(file)) {
    const history = await addHistory(place, transactions)
    await writeFile(file, JSON.stringify(history))
    return history
  }
  const history: History = JSON.parse(await readFile(file, 'utf8'))
  await withClient(place, async (client) => {
    for (const text of RENEW) await client.query(text)
  })
  return history
}

export async function addHistory(place: BenchPlace, transactions: number): Promise<History> {
  const config = readConfig(place)
  const storage = await openStorage(config, silentLog)
  try {
    const [found] = await storage.db.query({ text: 'select 1 from organizations limit 1' })
    if (found) {
      throw new Error('An earlier run was cut off while it wrote its rows. Remove its folder.')
    }
    const { apiKey, organizationId } = await createOrganization(storage, config, 'Bench')
    const id = toUuid('org', organizationId) ?? ''
    for (let day = DAYS; day >= 0; day -= 28) {
      await ensurePartitions(storage.db, Date.now() - day * DAY_MS)
    }
    return await withClient(place, async (client) => {
      await addRows(client, id, transactions)
      const boundKey = await bindKey(client, id)
      return { transactions, apiKey, boundKey, samples: await findSamples(client, id) }
    })
  } finally {
    await storage.db.close()
  }
}

/** A client of its own, because the gateway's connections end statements after 30 seconds. */
async function withClient<T>(
  { DATABASE_URL: connectionString }: BenchPlace,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end()
  }
}

async function addRows(client: pg.Client, organizationId: string, count: number): Promise<void> {
  const send = (text: string, ...values: readonly unknown[]) =>
    client.query(text, [organizationId, ...values])
  await client.query(PREPARE)
  for (const text of [...ADD_SPENDERS, ...ADD_SMALL_THINGS]) await send(text)
  for (let from = 0; from < count; from += PART) {
    await client.query(EMPTY_PART)
    await send(ADD_PART, from, Math.min(PART, count - from), DAYS * DAY_MS, count)
    const ofPart = [ADD_TRANSACTIONS, ADD_EVENTS, ADD_LEAVES, ...ADD_DELIVERIES, ADD_APPROVALS]
    for (const text of ofPart) await send(text)
    if (from % 500_000 === 0) console.error(`history: ${from}`)
  }
  for (const text of [...ADD_WAITING, ...MEET_WORKERS]) await send(text)
  await client.query('drop table made, spenders')
  await client.query('vacuum analyze')
}

async function bindKey(client: pg.Client, organizationId: string): Promise<string> {
  const { token, publicId, hash } = mintApiKey('live')
  await client.query(ADD_BOUND_KEY, [organizationId, publicId, hash])
  return token
}

async function findSamples(client: pg.Client, organizationId: string): Promise<Samples> {
  const { rows } = await client.query<Samples>(FIND_SAMPLES, [organizationId])
  const [samples] = rows
  if (!samples) throw new Error('The history has no samples.')
  return samples
}

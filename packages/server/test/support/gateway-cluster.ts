import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, createCaller } from './caller.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import { untilNotBusy } from './not-busy.ts'

/** Where a gateway keeps its data: a PostgreSQL database, or a folder of the embedded engine. */
export type Place = { readonly databaseUrl: string } | { readonly dataDir: string }

export interface Site {
  /** The key of the organization that the first gateway has created. */
  readonly apiKey: string
  /** Starts a gateway with the settings of the site and these changes. */
  start(change?: Readonly<Record<string, string>>): Promise<GatewayProcess>
  /** Posts to the API of one gateway, which must succeed. */
  must(gateway: GatewayProcess, path: string, body?: unknown): Promise<{ readonly id: string }>
  close(): Promise<void>
}

/** Starts the first gateway process of a place, which creates the organization. */
export async function openSite(
  place: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ site: Site; first: GatewayProcess }> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-site-'))
  const dataDir = 'dataDir' in place ? place.dataDir : folder
  const env = {
    PURSER_DATA_DIR: dataDir,
    PURSER_INIT_ORG: 'Acme',
    ...('databaseUrl' in place && { DATABASE_URL: place.databaseUrl }),
    ...settings,
  }
  const start: Site['start'] = (change) => startGatewayProcess({ ...env, ...change })
  const first = await start()
  const apiKey = (await readFile(join(dataDir, 'initial-api-key'), 'utf8')).trim()
  const caller = createCaller(apiKey)
  const site: Site = {
    apiKey,
    start,
    async must(gateway, path, body) {
      const call = { path, body } as Call
      const { status, text } = await untilNotBusy(() => caller.post(gateway.url, call))
      assert.equal(status, 200, text)
      return JSON.parse(text)
    },
    async close() {
      caller.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return { site, first }
}

/** Creates an agent with an active mandate. */
export async function addMandate(
  { must }: Site,
  gateway: GatewayProcess,
  terms: Readonly<Record<string, unknown>>,
): Promise<{ readonly agentId: string; readonly mandateId: string }> {
  const { id: agentId } = await must(gateway, '/agents', { name: 'Agent' })
  const { id: mandateId } = await must(gateway, '/mandates', { ...terms, agentId })
  await must(gateway, `/mandates/${mandateId}/activate`)
  return { agentId, mandateId }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../packages/server/src/storage/engine/database.ts'
import { auditDrill, runKillDrill } from '../packages/server/test/support/kill-drill.ts'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'

// Kills gateways under load hundreds of times: is anything lost, or done twice?
// Run by hand: npm run torture kill [postgres|embedded] [kills] [seed]
// A kill takes about a second on PostgreSQL (four gateways), three on the embedded engine (one).
const [engine = 'postgres', killsText = '300', seedText = String(Date.now() % 1_000_000)] =
  process.argv.slice(2)
const isEmbedded = engine === 'embedded'
const gateways = isEmbedded ? 1 : 4
const seed = Number(seedText)
const folder = mkdtempSync(join(tmpdir(), 'purser-kill-'))
const binFolder = findPostgres()
if (!isEmbedded && binFolder === undefined)
  throw new Error('There is no PostgreSQL on this machine.')
const server =
  isEmbedded || binFolder === undefined ? undefined : await startPostgresServer(binFolder)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const began = Date.now()
const result = await runKillDrill({
  place: server ? { databaseUrl: server.url } : { dataDir: folder },
  gateways,
  killsPerGateway: Math.ceil(Number(killsText) / gateways),
  clients: 24,
  seed,
  onKill: (kills) => {
    if (kills % 10 === 0) print(`${kills} kills, ${Math.round((Date.now() - began) / 1_000)} s`)
  },
})
const db = await openDatabase({ dataDir: folder, databaseUrl: server?.url }, silentLog)
const broken = [...result.faults, ...(await auditDrill(db, result.spends))]
await db.close()
await server?.stop()
rmSync(folder, { recursive: true, force: true })
const { kills, answered, repeats, foundDone } = result
print(JSON.stringify({ engine, seed, kills, answered, repeats, foundDone, broken: broken.length }))
for (const line of broken.slice(0, 20)) print(line)
process.exitCode = broken.length === 0 ? 0 : 1

import { migrate } from '../packages/server/src/storage/engine/migrate.ts'
import { openPostgres } from '../packages/server/src/storage/engine/postgres.ts'
import {
  findPostgres,
  startPostgresServer,
} from '../packages/server/test/support/postgres-server.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import { runWebhookDrill } from '../packages/server/test/support/webhook-drill.ts'

// Misbehaving receivers, and gateways that are killed: is an event lost, or sent without a trace?
// Run by hand: npm run torture webhooks [decisions] [kills] [seed]
const [decisionsText = '50000', killsText = '60', seedText = String(Date.now() % 1_000_000)] =
  process.argv.slice(2)
const binFolder = findPostgres()
if (binFolder === undefined) throw new Error('There is no PostgreSQL on this machine.')
const server = await startPostgresServer(binFolder)
const db = await openPostgres({ url: server.url }, silentLog)
await migrate(db)
await db.close()
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const began = Date.now()
const seed = Number(seedText)
print(`seed ${seed}`)
const { faults, ...figures } = await runWebhookDrill({
  databaseUrl: server.url,
  gateways: 4,
  kills: Number(killsText),
  decisions: Number(decisionsText) * 0.2,
  rejections: Number(decisionsText) * 0.8,
  clients: 16,
  seed,
  onProgress: (line) => print(`${Math.round((Date.now() - began) / 1_000)} s: ${line}`),
})
await server.stop()
const seconds = Math.round((Date.now() - began) / 1_000)
print(JSON.stringify({ seed, seconds, ...figures, faults: faults.length }))
for (const line of faults.slice(0, 20)) print(line)
process.exitCode = faults.length === 0 ? 0 : 1

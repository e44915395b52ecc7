import { mkdtemp, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { restoreBackup } from '../packages/server/src/operator/backup/restore.ts'
import { backUpStore } from '../packages/server/src/operator/backup/source.ts'
import { readConfig } from '../packages/server/src/process/config.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import { type BenchPlace, createDatabase, keep, onPostgres } from './harness.ts'
import { addHistory } from './reads-history.ts'

/**
 * Measures a backup of a large store, and its restore into each engine. The commands run in this
 * process, so the times leave out the start of Node.
 */
const TRANSACTIONS = Number(process.env['BENCH_TRANSACTIONS'] ?? 100_000)
const KEY = { PURSER_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }

interface Step {
  readonly name: string
  readonly seconds: number
}

async function main(place: BenchPlace): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-backup-'))
  try {
    await measure({ ...place, ...KEY }, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(place: BenchPlace, folder: string): Promise<void> {
  await addHistory(place, TRANSACTIONS)
  const file = join(folder, 'backup.gz')
  const steps: Step[] = []
  const time = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    const result = await run()
    steps.push({ name, seconds: Math.round((performance.now() - began) / 100) / 10 })
    console.error(`${name}: ${steps.at(-1)?.seconds} s`)
    return result
  }
  const restore = (env: Record<string, string>) =>
    restoreBackup(readConfig({ ...KEY, ...env }), { file }, silentLog)
  const { manifest } = await time('backup of PostgreSQL', () =>
    backUpStore(readConfig(place), { file }, silentLog),
  )
  const copy = await createDatabase(place.DATABASE_URL, 'restored')
  await time('restore into PostgreSQL', () => restore({ ...place, DATABASE_URL: copy }))
  const embedded = { PURSER_DATA_DIR: join(folder, 'data') }
  await time('restore into the embedded database', () => restore(embedded))
  const again = join(folder, 'again.gz')
  await time('backup of the embedded database', () =>
    backUpStore(readConfig({ ...KEY, ...embedded }), { file: again }, silentLog),
  )
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const megabytes = Math.round((await stat(file)).size / 1e6)
  const lines = [
    `${TRANSACTIONS} transactions, ${rows} rows, a file of ${megabytes} MB. Load of the machine: ${loadavg()[0]?.toFixed(1)}.`,
    ...steps.map(({ name, seconds }) => `${name}: ${seconds} s`),
  ]
  await keep('backup', lines, {
    transactions: TRANSACTIONS,
    rows,
    megabytes,
    load: loadavg(),
    steps,
  })
}

await onPostgres(main)

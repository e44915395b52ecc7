import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../packages/server/src/storage/engine/embedded/open.ts'
import { grow } from '../packages/server/test/storage/engine/embedded/grow.ts'

// Measures how large the data folder becomes, and the longest pause, over gigabytes of write-ahead
// log.
// Run by hand: npm run torture embedded-growth [gigabytes]
const gigabytes = Number(process.argv[2] ?? 4)
const dataDir = mkdtempSync(join(tmpdir(), 'purser-growth-'))
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const report = (_fields: object, message: string): void => print(message)
const db = await openEmbedded(
  { dataDir },
  { debug: report, info: report, warn: report, error: report },
)
const inMegabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024)
let samples = 0
const growth = await grow({
  db,
  dataDir,
  walBytes: gigabytes * 1024 ** 3,
  onSample: ({ walBytes, lastBytes, peakBytes, longestStatementMs }) => {
    samples += 1
    if (samples % 5 !== 0) return
    print(
      `${inMegabytes(walBytes)} MB of log, folder ${inMegabytes(lastBytes)} MB, ` +
        `peak ${inMegabytes(peakBytes)} MB, longest batch ${Math.round(longestStatementMs)} ms`,
    )
  },
})
print(JSON.stringify({ ...growth, memoryMb: inMegabytes(process.memoryUsage.rss()) }))
await db.close()
rmSync(dataDir, { recursive: true, force: true })

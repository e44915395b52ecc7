import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measureInTurns, type Pair } from './comparison.ts'
import type { PairOptions } from './evaluate-pairs.ts'
import { TSX } from './harness.ts'

const run = promisify(execFile)
const PROGRAM = 'bench/core-decide.ts'

/**
 * Runs the `decide` benchmark of each build, in turns; each build measures its own core. It
 * compares the best round of each case, which other programs on the machine affect least.
 */
export async function measureDecide({ roots, pairs, interruption }: PairOptions): Promise<Pair[]> {
  if (!existsSync(join(roots.against, PROGRAM))) {
    console.error(`The commit has no ${PROGRAM}, so decide alone is not compared.`)
    return []
  }
  const measured: Pair[] = []
  for (let pair = 1; pair <= pairs; pair++) {
    const { against, present } = await measureInTurns(pair, (side) => {
      interruption.throwIfAborted()
      return readBest(roots[side])
    })
    for (const [name, best] of present) {
      const other = against.get(name)
      const scenario = `decide: ${name}`
      if (other === undefined) continue
      measured.push({ scenario, figure: 'µs per decide', against: other, present: best })
    }
    console.error(`decide, pair ${pair} of ${pairs}`)
  }
  return measured
}

/** The best time of each case; the program prints a line with the name, the median and the best. */
async function readBest(root: string): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await run(TSX, ['--conditions=@purser/source', join(root, PROGRAM)], {
    cwd: root,
  })
  const lines = [...stdout.matchAll(/^(.*?) +[\d.]+ +([\d.]+)$/gm)]
  if (lines.length === 0) throw new Error(`${PROGRAM} in ${root} printed no figures.`)
  return new Map(lines.map(([, name = '', best]) => [name, Number(best)]))
}

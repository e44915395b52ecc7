import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommit, describePresent, findCommit } from './commit-build.ts'
import { comparePairs, toTable } from './comparison.ts'
import { measureDecide } from './decide-pairs.ts'
import { measureEvaluate } from './evaluate-pairs.ts'
import { keep, ROOT } from './harness.ts'

export interface AgainstOptions {
  readonly commit: string
  readonly pairs: number
  readonly seconds: number
}

/**
 * Compares the current tree, which is already built, with a commit: both run side by side and are
 * measured in turns. A busy machine makes single figures worthless. But the two halves of a pair
 * are seconds apart, so the median of many ratios still says which build is faster.
 */
export async function benchAgainst(
  { commit: name, pairs, seconds }: AgainstOptions,
  interruption: AbortSignal,
): Promise<void> {
  const commit = await findCommit(name)
  const present = await describePresent()
  const folder = await mkdtemp(join(tmpdir(), 'purser-against-'))
  try {
    const roots = { against: join(folder, 'tree'), present: ROOT }
    console.error(`building ${name}`)
    await buildCommit(commit, roots.against)
    const options = { roots, folder, pairs, seconds, interruption }
    const measured = [...(await measureEvaluate(options)), ...(await measureDecide(options))]
    const rows = comparePairs(measured)
    const title = [
      `Against ${name} (${commit.slice(0, 9)}): ${pairs} pairs, slices of ${seconds} s.`,
      'Better or worse is what nine pairs in ten agree on.',
    ]
    const lines = [title.join(' '), ...toTable(rows)]
    await keep('against', lines, { against: { name, commit }, present, pairs, seconds, rows })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

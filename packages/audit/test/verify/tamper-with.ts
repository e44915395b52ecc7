import { createRandom } from '../../../server/test/support/random.ts'
import { headOf, receiptOf, someEntries } from './some-log.ts'
import { someSubject, type Tamperings } from './tamperings.ts'
import { verifyLines } from './verify-lines.ts'

/** How many tamperings one log is put through. */
const PER_LOG = 100

/**
 * Tampers with logs, each time in one of these ways. Gives the ways that were not found, how often
 * each way was tried, and those that were said to need something that was kept and showed without.
 * The same seed does the same.
 */
export function tamperWith(
  tamperings: Tamperings,
  count: number,
  seed: number,
): {
  readonly unfound: readonly string[]
  readonly needless: readonly string[]
  readonly tried: ReadonlyMap<string, number>
} {
  const random = createRandom(seed)
  const unfound: string[] = []
  const needless: string[] = []
  const tried = new Map<string, number>()
  let subject = nextSubject()
  let done = 0
  while (done < count) {
    const [name, tamper] = random.pick(Object.entries(tamperings))
    const { lines, kept } = tamper(subject, random)
    // Two equal lines that change places change nothing.
    if (kept === undefined && lines.join('\n') === subject.lines.join('\n')) continue
    if (typeof verifyLines(lines, kept) !== 'string') unfound.push(`${name} (number ${done})`)
    if (kept && typeof verifyLines(lines) === 'string') needless.push(`${name} (number ${done})`)
    tried.set(name, (tried.get(name) ?? 0) + 1)
    done += 1
    if (done % PER_LOG === 0) subject = nextSubject()
  }
  return { unfound, needless, tried }

  function nextSubject() {
    const entries = someEntries(random.between(2, 24), random.between(1, 2 ** 30))
    const made = someSubject(entries, random)
    const kept = { heads: [headOf(entries)], receipts: entries.map((entry) => receiptOf(entry)) }
    const findings = verifyLines(made.lines, kept)
    if (typeof findings === 'string') throw new Error(`Nobody touched it, and yet ${findings}`)
    return made
  }
}

import { formatMoney } from './money.ts'
import { type Part, ruleSentences, type Sentence } from './rule-words.ts'
import { dateText, levelsText, PERIOD_WORDS, type Terms } from './term-words.ts'

/** A sentence with its place in a comparison: `old` is gone, `new` was added. */
export interface MarkedSentence extends Sentence {
  readonly change: 'same' | 'new' | 'old'
}

/** A mandate as sentences: the budget first, then the rules in their order. */
export function mandateSentences(terms: Terms): readonly Sentence[] {
  const { currency, budgetTotal, budgetPeriod, validFrom, validUntil, timezone } = terms
  const budget: Part[] =
    // A new draft has no amount yet, and no budget is 0.
    budgetTotal === 0
      ? ['The budget has no amount yet.']
      : [{ strong: formatMoney(budgetTotal, currency) }, ` ${PERIOD_WORDS[budgetPeriod]}.`]
  return [
    { key: 'budget', parts: budget },
    ...(validFrom === null
      ? []
      : [{ key: 'from', parts: ['Starts on ', { strong: dateText(validFrom, timezone) }, '.'] }]),
    ...(validUntil === null
      ? []
      : [
          { key: 'until', parts: ['Expires on ', { strong: dateText(validUntil, timezone) }, '.'] },
        ]),
    ...terms.rules.flatMap((rule) => ruleSentences(rule, currency)),
    ...(isUsual(terms.warningPercents)
      ? []
      : [
          {
            key: 'warnings',
            parts: ['Warns at ', { strong: levelsText(terms.warningPercents) }, '.'],
          },
        ]),
    ...(terms.discloseLimits
      ? [{ key: 'disclose', parts: ['Mandate tokens show the per-spend limit to recipients.'] }]
      : []),
  ]
}

function isUsual(levels: readonly number[]): boolean {
  return levels.length === 1 && levels[0] === 80
}

/**
 * The sentences of two versions as one list. A changed sentence is struck through, with the new one
 * after it. A list names only the entries that were added or removed.
 */
export function compareSentences(before: Terms, after: Terms): readonly MarkedSentence[] {
  const old = new Map(mandateSentences(before).map((one) => [one.key, one]))
  const next = mandateSentences(after)
  const kept = new Set(next.map(({ key }) => key))
  const merged = next.flatMap((one) => compared(old.get(one.key), one))
  const gone = [...old.values()].filter(({ key }) => !kept.has(key))
  return insertGone(merged, [...old.keys()], gone)
}

function compared(before: Sentence | undefined, after: Sentence): readonly MarkedSentence[] {
  if (!before) return [{ ...after, change: 'new' }]
  if (isSame(before, after)) return [{ ...after, change: 'same' }]
  // The same effect and only other entries: the difference is shorter than both lists.
  if (before.list && after.list && before.mark === after.mark && isSameStart(before, after)) {
    return listDifference(before.list, after.list, after)
  }
  return [
    { ...before, change: 'old' },
    { ...after, change: 'new' },
  ]
}

type List = NonNullable<Sentence['list']>

function listDifference(before: List, after: List, sentence: Sentence): readonly MarkedSentence[] {
  const added = after.entries.filter((entry) => !before.entries.includes(entry))
  const removed = before.entries.filter((entry) => !after.entries.includes(entry))
  const line = (
    entries: readonly string[],
    change: 'new' | 'old',
    word: string,
  ): readonly MarkedSentence[] =>
    entries.length === 0
      ? []
      : [
          {
            key: `${sentence.key}:${change}`,
            change,
            parts: [`${after.noun} ${word}: `, { strong: entries.join(', ') }, '.'],
          },
        ]
  return [
    { ...sentence, change: 'same' },
    ...line(removed, 'old', 'removed'),
    ...line(added, 'new', 'added'),
  ]
}

/** A sentence that is gone stands where it stood: after the one that came before it. */
function insertGone(
  merged: readonly MarkedSentence[],
  order: readonly string[],
  gone: readonly Sentence[],
): readonly MarkedSentence[] {
  const result = [...merged]
  for (const one of gone) {
    const earlier = order.slice(0, order.indexOf(one.key)).toReversed()
    const at = earlier.map((key) => result.findLastIndex((each) => each.key.startsWith(key)))
    const found = at.find((index) => index >= 0) ?? -1
    result.splice(found + 1, 0, { ...one, change: 'old' })
  }
  return result
}

function isSame(a: Sentence, b: Sentence): boolean {
  return (
    a.mark === b.mark &&
    sentenceText(a) === sentenceText(b) &&
    JSON.stringify(a.list?.entries) === JSON.stringify(b.list?.entries)
  )
}

function isSameStart(a: Sentence, b: Sentence): boolean {
  return JSON.stringify(a.parts[0]) === JSON.stringify(b.parts[0])
}

/** A sentence as plain text. */
export function sentenceText({ parts }: Pick<Sentence, 'parts'>): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : 'strong' in part ? part.strong : part.code))
    .join('')
}

/** How many sentences a comparison adds, removes or replaces. A replaced one counts once. */
export function countChanges(sentences: readonly MarkedSentence[]): number {
  const keys = sentences
    .filter(({ change }) => change !== 'same')
    .map(({ key }) => key.replace(/:(new|old)$/, ''))
  return new Set(keys).size
}

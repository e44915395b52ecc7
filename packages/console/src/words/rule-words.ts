import type { RuleInput } from '@purser/sdk'
import { formatAmount } from './money.ts'
import { windowText } from './schedule-words.ts'
import { durationWords, perWindow } from './windows.ts'
import { PATH_WORDS } from './words.ts'

/** A piece of a sentence: plain, strong, or code such as an expression. */
export type Part = string | { readonly strong: string } | { readonly code: string }

/** A sentence about a mandate. `mark` is set if the sentence ends with a person or a flag. */
export interface Sentence {
  /** The same statement has the same key in every version of a mandate. */
  readonly key: string
  readonly parts: readonly Part[]
  readonly mark?: 'approval' | 'flag'
  /** The entries of an allow or block list, so that a change names only the difference. */
  readonly list?: { readonly noun: string; readonly entries: readonly string[] }
}

type RuleOf<Type extends RuleInput['type']> = Extract<RuleInput, { readonly type: Type }>

/** How many entries of a list a sentence names. */
const NAMED = 4

/** A rule as sentences. Most rules are one sentence; two bounds or two lists are two. */
export function ruleSentences(rule: RuleInput, currency: string | null): readonly Sentence[] {
  const key = `rule:${rule.id ?? rule.type}`
  const mark = markOf(rule)
  const sentence = (part: string, parts: readonly Part[]): Sentence => ({
    key: `${key}:${part}`,
    parts,
    ...(mark ? { mark } : {}),
  })
  switch (rule.type) {
    case 'amount':
      return amountWords(rule, currency).map(([part, parts]) => sentence(part, parts))
    case 'limit':
      return [sentence('limit', limitWords(rule, currency))]
    case 'vendors':
    case 'categories':
      return listWords(rule).map(({ part, parts, entries }) => ({
        ...sentence(part, parts),
        list: { noun: listNoun(rule, part), entries },
      }))
    case 'paths':
      return [sentence('paths', pathWords(rule))]
    case 'schedule':
      return [sentence('schedule', scheduleSentence(rule))]
    case 'duplicate':
      return [sentence('duplicate', duplicateWords(rule))]
    case 'new_vendor':
      return [
        sentence('new_vendor', ['The first spend at a vendor ', strong(isWhat(rule.effect)), '.']),
      ]
    case 'price_drift':
      return [
        sentence('price_drift', [
          'A price more than ',
          strong(`${rule.maxIncreasePercent} %`),
          ` above the last one at the vendor ${isWhat(rule.effect)}.`,
        ]),
      ]
    case 'expression':
      return [
        sentence('expression', [
          rule.effect === 'flag' || rule.effect === 'require_approval'
            ? `A spend ${isWhat(rule.effect)} unless `
            : 'Only if ',
          { code: rule.expr },
          '.',
        ]),
      ]
    case 'approval':
      return [sentence('approval', approvalWords(rule, currency))]
  }
}

function markOf({ type, effect }: RuleInput): Sentence['mark'] {
  if (type === 'approval' || effect === 'require_approval') return 'approval'
  return effect === 'flag' ? 'flag' : undefined
}

function strong(text: string): Part {
  return { strong: text }
}

/** The effect of the rule on a spend that fails it, as the end of a sentence. */
function isWhat(effect: RuleInput['effect']): string {
  if (effect === 'require_approval') return 'needs approval'
  return effect === 'flag' ? 'is flagged' : 'is rejected'
}

/** "only …" for a rule that rejects; otherwise the effect on the other spends. */
function unless(effect: RuleInput['effect'], only: string, others: string): string {
  if (effect === 'require_approval') return `A person must approve ${others} `
  return effect === 'flag' ? `Flags ${others} ` : `${only} `
}

function amountWords(
  { min, max, effect }: RuleOf<'amount'>,
  currency: string | null,
): [string, Part[]][] {
  const words: [string, Part[]][] = []
  if (min !== undefined) {
    const amount = strong(formatAmount(min, currency))
    words.push(['min', [unless(effect, 'At least', 'spends below'), amount, ofSpend(effect)]])
  }
  if (max !== undefined) {
    const amount = strong(formatAmount(max, currency))
    words.push(['max', [unless(effect, 'At most', 'spends above'), amount, ofSpend(effect)]])
  }
  return words
}

function ofSpend(effect: RuleInput['effect']): string {
  return effect === 'require_approval' || effect === 'flag' ? '.' : ' per spend.'
}

function limitWords(rule: RuleOf<'limit'>, currency: string | null): Part[] {
  const { maxCount, maxAmount, window, groupBy, match, effect } = rule
  const bounds: Part[] = []
  if (maxAmount !== undefined) bounds.push(strong(formatAmount(maxAmount, currency)))
  if (maxCount !== undefined) {
    if (bounds.length > 0) bounds.push(' and ')
    bounds.push(strong(`${maxCount} ${maxCount === 1 ? 'spend' : 'spends'}`))
  }
  const per = groupBy === undefined ? '' : ` per ${groupBy}`
  return [
    unless(effect, 'At most', 'more than'),
    ...bounds,
    ` ${perWindow(window)}${per}`,
    ...matchWords(match),
    '.',
  ]
}

function matchWords(match: RuleOf<'limit'>['match']): Part[] {
  const words: Part[] = []
  if (match?.vendor !== undefined) words.push(' at ', strong(match.vendor))
  if (match?.category !== undefined) words.push(' for ', strong(match.category))
  if (match?.path !== undefined) words.push(' by ', strong(PATH_WORDS[match.path]))
  return words
}

interface ListPart {
  readonly part: 'allow' | 'block'
  readonly parts: Part[]
  readonly entries: readonly string[]
}

function listWords({ type, allow, block, effect }: RuleOf<'vendors' | 'categories'>): ListPart[] {
  const [before, noun] = type === 'vendors' ? ['at', 'vendors'] : ['for', 'categories']
  const parts: ListPart[] = []
  if (allow !== undefined) {
    const start = unless(effect, `Only ${before}`, `spends ${before} ${noun} other than`)
    parts.push({ part: 'allow', entries: allow, parts: [start, ...named(allow, 'or'), '.'] })
  }
  if (block !== undefined) {
    const start = unless(effect, `Never ${before}`, `spends ${before}`)
    parts.push({ part: 'block', entries: block, parts: [start, ...named(block, 'or'), '.'] })
  }
  return parts
}

function listNoun({ type }: RuleOf<'vendors' | 'categories'>, part: 'allow' | 'block'): string {
  const noun = type === 'vendors' ? 'Vendor' : 'Category'
  return part === 'allow' ? noun : `Blocked ${noun.toLowerCase()}`
}

/** "a, b, c, d and 8 more". */
function named(entries: readonly string[], last: 'or' | 'and'): Part[] {
  if (entries.length === 0) return [strong('none')]
  const shown = entries.length > NAMED + 1 ? entries.slice(0, NAMED) : entries
  const words = shown.flatMap((entry, index): Part[] => {
    if (index === 0) return [strong(entry)]
    const isLast = index === shown.length - 1 && shown.length === entries.length
    return [isLast ? ` ${last} ` : ', ', strong(entry)]
  })
  const left = entries.length - shown.length
  return left > 0 ? [...words, ` and ${left} more`] : words
}

function pathWords({ allow, effect }: RuleOf<'paths'>): Part[] {
  const paths = allow.map((path) => PATH_WORDS[path])
  return [unless(effect, 'Only by', 'spends not made by'), ...named(paths, 'or'), '.']
}

function scheduleSentence({ windows, timezone, effect }: RuleOf<'schedule'>): Part[] {
  const zone = timezone === undefined ? '.' : ` (${timezone}).`
  return [unless(effect, 'Only', 'spends outside'), ...named(windows.map(windowText), 'or'), zone]
}

/** The fields that two spends share if the rule does not name them. */
const SAME = ['vendor', 'amount', 'reference'] as const

function duplicateWords({ window, match = SAME, effect }: RuleOf<'duplicate'>): Part[] {
  return [
    'A spend with the same ',
    ...named(match, 'and'),
    ' within ',
    strong(durationWords(window)),
    ` ${isWhat(effect)}.`,
  ]
}

function approvalWords({ above, expiresIn }: RuleOf<'approval'>, currency: string | null): Part[] {
  const which = above === undefined ? [strong('every spend')] : overAmount(above, currency)
  const wait =
    expiresIn === undefined ? [] : ['. A request expires after ', strong(durationWords(expiresIn))]
  return ['A person must approve ', ...which, ...wait, '.']
}

function overAmount(above: number, currency: string | null): Part[] {
  return ['spends above ', strong(formatAmount(above, currency))]
}

import { moneyValue } from '../../../../ui/money-text.ts'
import { formatAmount } from '../../../../words/money.ts'
import { isSameRule } from '../../../../words/term-changes.ts'
import { countOf } from '../../../../words/text.ts'
import { readRule } from './read-rule.ts'
import type { RuleForm } from './rule-form.ts'

export type RuleMark = 'same' | 'changed' | 'new'

/** Whether a rule is as in the active version, changed, or new. */
export function ruleMark(before: RuleForm | undefined, after: RuleForm): RuleMark {
  if (!before || before.type !== after.type) return 'new'
  const old = readRule(before).rule
  const next = readRule(after).rule
  return old && next && isSameRule(old, next) ? 'same' : 'changed'
}

/** The earlier value of a field, as "was 250.00 in version 4"; undefined if it is the same. */
export function wasText(
  before: RuleForm | undefined,
  after: RuleForm,
  field: string,
  version: number,
): string | undefined {
  if (!before || before.type !== after.type) return undefined
  return wasValue(before.texts[field] ?? '', after.texts[field] ?? '', version)
}

export function wasValue(before: string, after: string, version: number): string | undefined {
  if ((moneyValue(before) ?? before) === (moneyValue(after) ?? after)) return undefined
  if (sameNumber(before, after)) return undefined
  return `was ${shownValue(before)} in version ${version}`
}

function shownValue(text: string): string {
  if (text === '') return 'not set'
  return /^\d+\.\d+$/.test(text) ? formatAmount(Number(text), null) : text
}

function sameNumber(a: string, b: string): boolean {
  const [one, two] = [moneyValue(a), moneyValue(b)]
  return one !== null && two !== null && Number(one) === Number(two)
}

/** "1 added, 2 removed"; undefined if the lists have the same entries. */
export function listWas(
  before: readonly string[] | undefined,
  after: readonly string[],
): string | undefined {
  if (!before) return undefined
  const added = after.filter((entry) => !before.includes(entry)).length
  const removed = before.filter((entry) => !after.includes(entry))
  const words = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed: ${firstFew(removed)}`] : []),
  ]
  return words.length === 0 ? undefined : words.join(', ')
}

function firstFew(entries: readonly string[]): string {
  const shown = entries.slice(0, 3).join(', ')
  return entries.length > 3 ? `${shown} and ${countOf(entries.length - 3, 'other')}` : shown
}

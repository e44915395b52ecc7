import type { Finding, Transaction } from '@purser/sdk'
import { moneyValue } from '../../../../ui/money-text.ts'
import { formatAmount } from '../../../../words/money.ts'
import { codeWord } from '../../../../words/words.ts'
import type { MandateForm } from './mandate-form.ts'
import { amountText, type RuleForm } from './rule-form.ts'

type Spend = Pick<
  Transaction,
  'amount' | 'vendor' | 'category' | 'path' | 'currency' | 'evaluationDetails' | 'code'
>

/** The form with the smallest change that lets a rejected spend pass. */
export interface Exception {
  readonly form: MandateForm
  /** The changes, one sentence each. Empty if no change of this mandate would help. */
  readonly changes: readonly string[]
}

/**
 * Changes each rule that stopped the spend, and nothing else. Rules of parent mandates, and reasons
 * that are no rule (a paused agent, for example), are not in the hands of this mandate.
 */
export function exceptionFor(form: MandateForm, spend: Spend): Exception {
  const findings = spend.evaluationDetails?.rules ?? []
  const stopped = findings.filter(({ outcome }) => outcome === 'fail' || outcome === 'escalate')
  let result: Exception = { form, changes: [] }
  for (const finding of stopped) {
    const next = finding.id === 'budget' ? raiseBudget(result.form, spend) : undefined
    result = add(result, next ?? widenRule(result.form, finding, spend))
  }
  return result
}

/** Reasons that no setting of a rule can mend. */
const NOT_THE_RULE: ReadonlySet<string> = new Set([
  ...['payee_mismatch', 'category_required', 'past_being_counted'],
  ...['vendor_history_incomplete', 'rule_error'],
])

interface Change {
  readonly form: MandateForm
  readonly text: string
}

function add(result: Exception, change: Change | undefined): Exception {
  if (!change) return result
  return { form: change.form, changes: [...result.changes, change.text] }
}

function raiseBudget(form: MandateForm, { evaluationDetails, amount, currency }: Spend): Change {
  const remaining = evaluationDetails?.budget?.remaining ?? 0
  const now = Number(moneyValue(form.budgetTotal) ?? 0)
  const next = units(now + Math.max(0, amount - remaining))
  const text = `Budget raised to ${formatAmount(next, currency)}.`
  return { form: { ...form, budgetTotal: amountText(next) }, text }
}

function widenRule(form: MandateForm, finding: Finding, spend: Spend): Change | undefined {
  const rule = form.rules.find(({ id }) => id === finding.id)
  if (!rule || NOT_THE_RULE.has(finding.code ?? '')) return undefined
  const widened = widen(rule, finding, spend)
  if (!widened) return undefined
  const rules = form.rules.map((one) => (one === rule ? widened.rule : one))
  return { form: { ...form, rules }, text: widened.text }
}

interface Widened {
  readonly rule: RuleForm
  readonly text: string
}

function widen(rule: RuleForm, finding: Finding, spend: Spend): Widened | undefined {
  const { amount, vendor, category, path, currency } = spend
  const money = formatAmount(amount, currency)
  switch (rule.type) {
    case 'amount':
      return finding.code === 'amount_below_min' || isBelow(rule, amount)
        ? set(rule, 'min', amount, `Minimum amount lowered to ${money}.`)
        : set(rule, 'max', amount, `Per-spend limit raised to ${money}.`)
    case 'approval':
      return set(rule, 'above', amount, `Approval is required only above ${money}.`)
    case 'limit':
      return raiseLimit(rule, finding, spend)
    case 'vendors':
      return allowEntry(rule, vendor, 'Vendor', (entry) => covers(entry, vendor))
    case 'categories':
      return category === null
        ? undefined
        : allowEntry(rule, category, 'Category', (entry) => entry === category)
    case 'paths':
      return allowEntry(rule, path, 'Payment path', () => false)
    case 'price_drift':
    case 'schedule':
    case 'duplicate':
    case 'new_vendor':
    case 'expression':
      return {
        rule: { ...rule, effect: 'flag' },
        text: `“${codeWord(finding.code ?? rule.type)}” only flags such spends.`,
      }
  }
}

function isBelow(rule: RuleForm, amount: number): boolean {
  const min = moneyValue(rule.texts['min'] ?? '')
  return min !== null && amount < Number(min)
}

function set(rule: RuleForm, field: string, value: number, text: string): Widened {
  return { rule: { ...rule, texts: { ...rule.texts, [field]: amountText(value) } }, text }
}

function raiseLimit(rule: RuleForm, finding: Finding, spend: Spend): Widened {
  const { code, observed } = finding
  const seen = typeof observed === 'number' ? observed : 0
  if (code === 'limit_count_exceeded') {
    const count = Math.max(Number(rule.texts['maxCount'] || 0) + 1, Math.ceil(seen))
    const texts = { ...rule.texts, maxCount: String(count) }
    return { rule: { ...rule, texts }, text: `Limit raised to ${count} spends.` }
  }
  const now = Number(moneyValue(rule.texts['maxAmount'] ?? '') ?? 0)
  const next = units(Math.max(seen, now, spend.amount))
  return set(rule, 'maxAmount', next, `Limit raised to ${formatAmount(next, spend.currency)}.`)
}

/** Allows the entry, and blocks it no longer. */
function allowEntry(
  rule: RuleForm,
  entry: string,
  noun: string,
  isBlocker: (blocked: string) => boolean,
): Widened {
  const { allow = [], block = [] } = rule.lists
  const kept = block.filter((one) => !isBlocker(one))
  const isAllowed = allow.some((one) => covers(one, entry))
  const next = allow.length > 0 && !isAllowed ? [...allow, entry] : allow
  const done = kept.length < block.length ? 'no longer blocked' : 'added'
  return {
    rule: { ...rule, lists: { ...rule.lists, allow: next, block: kept } },
    text: `${noun} ${done}: ${entry}.`,
  }
}

/** `*.a.com` covers every subdomain of a.com, and not a.com itself. */
function covers(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host
}

/** Sums of amounts have at most six decimals. */
function units(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

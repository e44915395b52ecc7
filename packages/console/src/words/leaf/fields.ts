import { fieldWord } from '../flags.ts'
import { formatAmount } from '../money.ts'
import { formatExact } from '../time.ts'
import { limitName } from '../windows.ts'
import { RULE_WORDS, ruleName } from '../words.ts'
import { type Fields, fieldsOf, type Piece, textOf } from './pieces.ts'

/** One changed field in words. Undefined: there was, or is, no value. */
export interface FieldChange {
  readonly field: string
  readonly label: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const LABELS: Readonly<Record<string, string>> = {
  budgetTotal: 'Budget',
  budgetPeriod: 'Budget period',
  validFrom: 'Starts',
  validUntil: 'Expires',
  expiresAt: 'Expires',
  endsAt: 'Expires',
  warningPercents: 'Warns at',
  discloseLimits: 'Agent sees its limits',
  externalId: 'External id',
  parentMandateId: 'Parent mandate',
  webhookUrl: 'Webhook URL',
  webhookEvents: 'Webhook events',
  messageChatUrl: 'Chat',
  messageKinds: 'Messages',
  webhookEndpoints: 'Webhook endpoints',
  webhookSecretHint: 'Webhook secret',
  signerUrl: 'Signer URL',
  x402Payees: 'x402 payees',
  cardAliases: 'Card names',
  acp: 'ACP shop',
  agentId: 'Agent',
  agentIds: 'Agents',
  statusReason: 'Reason',
  last4: 'Last four digits',
  failMode: 'Without a decision',
  deadlineMs: 'Deadline (ms)',
  timezone: 'Time zone',
  email: 'E-mail',
  frozen: 'Frozen',
  refundedAmount: 'Refunded',
  settledAmount: 'Settled',
  heldAmount: 'Held',
}

const MONEY = new Set([
  ...['budgetTotal', 'failOpenMaxAmount', 'refundedAmount', 'settledAmount', 'heldAmount'],
  ...['amount', 'maxAmount', 'max', 'min', 'above'],
])
/** The fields that a rule is named after: "Per-spend limit" is `max` of an `amount` rule. */
const MAIN = new Set(['max', 'maxAmount', 'above', 'allow'])
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

interface Words {
  readonly nameOf: (id: string) => string | undefined
  readonly timezone: string
  readonly currency?: string | undefined
}

/** The differences of a change record, one per field, in words. */
export function fieldChanges(before: unknown, after: unknown, words: Words): FieldChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return fields.map((field) => ({
    field,
    label: fieldLabel(field, now[field] ?? old[field]),
    before: valueWords(field, old[field], words),
    after: valueWords(field, now[field], words),
  }))
}

/** "Per-spend limit" for `rules.amount.max`, "Budget" for `budgetTotal`. */
export function fieldLabel(field: string, value?: unknown): string {
  const [area, id = '', ...rest] = field.split('.')
  if (area !== 'rules' || id === '') return LABELS[field] ?? fieldWord(field)
  const name = rest.join('.')
  const rule = fieldsOf(value)
  if (name === '') {
    const type = textOf(rule['type']) ?? id
    return type === 'limit' ? limitName(textOf(rule['window']) ?? null) : ruleName(type)
  }
  const base = RULE_WORDS[id] ? ruleName(id) : `Rule ${id}`
  return MAIN.has(name) ? base : `${base}, ${fieldWord(name).toLowerCase()}`
}

/** A value as text; undefined if there is none. */
export function valueWords(field: string, value: unknown, words: Words): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (Array.isArray(value)) return listWords(field, value, words)
  switch (typeof value) {
    case 'boolean':
      return value ? 'yes' : 'no'
    case 'number':
      return numberWords(field, value, words)
    case 'string':
      return INSTANT.test(value)
        ? formatExact(new Date(value), words.timezone)
        : (words.nameOf(value) ?? value)
    default:
      return objectWords(fieldsOf(value), words)
  }
}

function numberWords(field: string, value: number, { currency }: Words): string {
  const name = field.split('.').at(-1) ?? field
  return MONEY.has(name) ? formatAmount(value, currency ?? null) : String(value)
}

function listWords(field: string, list: readonly unknown[], words: Words): string | undefined {
  if (list.length === 0) return undefined
  return list.map((one) => valueWords(field, one, words) ?? 'none').join(', ')
}

/** Fields that the label of a rule says already, or that every rule has. */
const OF_RULES = new Set(['type', 'id', 'effect'])

/** The fields of an object. A rule names only those that its label does not. */
function objectWords(fields: Fields, words: Words): string | undefined {
  const isRule = fields['type'] !== undefined
  const isSaid = (name: string) =>
    OF_RULES.has(name) || (name === 'window' && fields['type'] === 'limit')
  const entries = Object.entries(fields).filter(
    ([name, value]) => value !== null && !(isRule && isSaid(name)),
  )
  if (entries.length === 0) return isRule ? 'on' : undefined
  return entries
    .map(([name, value]) => `${fieldWord(name).toLowerCase()} ${valueWords(name, value, words)}`)
    .join('; ')
}

/** The first changes of a sentence: ": per-spend limit 200.00 → 250.00, and 2 more". */
export function changeWords(changes: readonly FieldChange[]): readonly Piece[] {
  const [first, ...others] = changes
  if (!first) return []
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return [`: ${first.label.toLowerCase()} ${arrow(first)}${more}`]
}

const LONG = 48

function arrow({ before, after }: FieldChange): string {
  if (before === undefined) return `set to ${cut(after ?? 'none')}`
  if (after === undefined) return 'removed'
  return `${cut(before)} → ${cut(after)}`
}

function cut(text: string): string {
  return text.length <= LONG ? text : `${text.slice(0, LONG)}…`
}

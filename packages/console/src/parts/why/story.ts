import type { Approval, AuditEntry, Transaction, WebhookDelivery } from '@purser/sdk'
import { formatMoney } from '../../words/money.ts'
import { approvalPoints, deliveryPoint, plannedPoints } from './story-around.ts'
import type { StoryPoint } from './story-point.ts'

interface StorySources {
  readonly transaction: Transaction
  readonly entries: readonly AuditEntry[]
  /** False while the audit log is being read, or if it could not be. */
  readonly isLogKnown: boolean
  readonly approval: Approval | undefined
  readonly deliveries: readonly WebhookDelivery[]
}

/** All points in the order of time. Points without a time follow the decision; plans come last. */
export function storyOf(sources: StorySources): readonly StoryPoint[] {
  const { transaction, entries, isLogKnown, approval, deliveries } = sources
  const decided = Date.parse(transaction.evaluationDetails?.evaluatedAt ?? transaction.createdAt)
  const timeOf = ({ at, kind, isPlanned }: StoryPoint) => {
    if (isPlanned) return Number.MAX_SAFE_INTEGER
    if (kind === 'requested') return 0
    return at === null ? decided + 0.5 : Date.parse(at)
  }
  return [
    ...decisionPoints(transaction),
    ...(isLogKnown ? logPoints(entries) : []),
    ...changePoints(entries, transaction),
    ...approvalPoints(approval, transaction),
    ...deliveries.map(deliveryPoint).toReversed(),
    ...plannedPoints(transaction, deliveries),
  ].toSorted((a, b) => timeOf(a) - timeOf(b))
}

function decisionPoints(transaction: Transaction): readonly StoryPoint[] {
  const { requestedBy, evaluationDetails: details, decision, code, createdAt } = transaction
  const at = details?.evaluatedAt ?? createdAt
  const kind = code === 'recorded' ? 'recorded' : code === 'approval_required' ? 'asked' : decision
  // A row of an old version may not have the duration.
  const ms: number | undefined = details?.durationMs
  const took = ms === undefined ? '' : ` in ${formatDuration(ms)}`
  const words = {
    recorded: 'Recorded without a decision',
    asked: `Rejected${took}: a person must approve it`,
    approved: `Approved${took}`,
    rejected: `Rejected${took}`,
  }
  const begun = new Date(Date.parse(at) - Math.round(ms ?? 0)).toISOString()
  return [
    ...(requestedBy
      ? [
          {
            ...{ key: 'requested', kind: 'requested' as const, at: begun },
            text: REQUESTERS[requestedBy.kind] ?? 'Requested by',
            link: { text: requestedBy.name, href: hrefOf(requestedBy) },
            after: OVER[transaction.path],
          },
        ]
      : []),
    { key: 'decided', kind, at, text: words[kind] },
  ]
}

/** A direct spend needs no word; the others came another way. */
const OVER: Readonly<Record<string, string>> = {
  x402: ', over x402',
  acp: ', over ACP checkout',
  card: ', by card',
}

const REQUESTERS: Readonly<Record<string, string>> = {
  key: 'Requested by key',
  member: 'Requested by',
  connection: 'Requested by the card issuer',
  issuer: 'Requested by the card issuer',
}

function hrefOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  if (kind === 'key') return '/keys'
  return kind === 'member' ? '/settings/members' : `/cards/connections/${id}`
}

/** The leaf of the decision. Until the log is sealed, the point is planned. */
function logPoints(entries: readonly AuditEntry[]): readonly StoryPoint[] {
  const leaf = entries.find(({ kind }) => DECISIONS.has(kind))
  if (!leaf) {
    const text = 'Not in the audit log yet'
    return [{ key: 'log', kind: 'logged', at: null, text, isPlanned: true }]
  }
  return [
    {
      ...{ key: 'log', kind: 'logged', at: null },
      text: `In the audit log as leaf ${leaf.index.toLocaleString('en')}.`,
      link: { text: 'Check the proof', href: `/audit/${leaf.index}` },
    },
  ]
}

const DECISIONS = new Set(['transaction.approved', 'transaction.rejected'])

/** A change by a person or key has two entries at the same time: the event, and who made it. */
function changePoints(
  entries: readonly AuditEntry[],
  transaction: Transaction,
): readonly StoryPoint[] {
  return entries.flatMap((entry): readonly StoryPoint[] => {
    const word = OUTCOMES[entry.kind]
    if (!word) return []
    const made = entries.find(({ kind, at }) => kind === `change.${entry.kind}` && at === entry.at)
    const actor = textOf(Object(made?.payload?.['actor'])['name'])
    const amount = outcomeAmount(entry, transaction)
    return [
      {
        ...{ key: `leaf-${entry.index}`, kind: word.kind, at: entry.at },
        text: `${word.text}${amount}${actor === undefined ? '' : ` by ${actor}`}.`,
        link: { text: `Leaf ${entry.index.toLocaleString('en')}`, href: `/audit/${entry.index}` },
      },
    ]
  })
}

const OUTCOMES: Readonly<Record<string, { kind: StoryPoint['kind']; text: string }>> = {
  'transaction.settled': { kind: 'settled', text: 'Settled' },
  'transaction.voided': { kind: 'voided', text: 'Voided' },
  'transaction.expired': { kind: 'expired', text: 'Hold expired' },
  'transaction.refunded': { kind: 'refunded', text: 'Refunded' },
  'transaction.adjusted': { kind: 'adjusted', text: 'Adjusted by the issuer' },
}

function outcomeAmount({ kind, payload }: AuditEntry, { currency }: Transaction): string {
  const outcome = Object(payload?.['outcome']) as Record<string, unknown>
  const field = kind === 'transaction.settled' ? 'settledAmount' : 'refundedAmount'
  const value = outcome[field]
  if (kind === 'transaction.voided' || typeof value !== 'number' || value === 0) return ''
  return `: ${formatMoney(value, currency)}${kind === 'transaction.refunded' ? ' in all' : ''}`
}

/** "2.4 ms", "38 ms", "1.2 s". */
export function formatDuration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return ms < 10 ? `${Number(ms.toFixed(1))} ms` : `${Math.round(ms)} ms`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

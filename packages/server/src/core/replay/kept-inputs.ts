import assert from 'node:assert/strict'
import type { AgentStatus } from '../agent.ts'
import type { Permit } from '../approvals/permit.ts'
import type { Bucket, Counter } from '../counters/counter.ts'
import type { Account, MandateAccount, VendorHistory } from '../decision/account.ts'
import type { StoredMandateStatus } from '../mandates/mandate.ts'
import { countedBy, type Policy } from '../mandates/policy.ts'
import type { Micros } from '../money.ts'
import type { CardSpend, KnownPayee, Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import type { Transaction } from '../transaction.ts'
import type { Judging } from './inputs.ts'

/** The inputs of a decision, read from the text that `inputs.ts` wrote. */
export interface KeptInputs {
  readonly judging: Judging
  readonly spend: Spend
  readonly isFrozen: boolean
  readonly agentStatus: AgentStatus
  readonly tags: readonly string[]
  readonly draftMandateId: string | undefined
  /** The agent's own mandate first, then its ancestors. */
  readonly mandates: readonly KeptMandate[]
  readonly counters: KeptCounters
  readonly vendor: VendorHistory | undefined
  readonly vendorsIncomplete: boolean
  readonly permit: Permit | undefined
}

/**
 * All counters that the decision read, with their buckets; or only the count and sum of each, in the
 * order in which the rules first name them. Null: the decision read no counter.
 */
type KeptCounters =
  | Readonly<Record<string, readonly (number | string)[]>>
  | readonly (number | string)[]
  | null

/** The figures of a mandate, and the version that judged. */
export interface KeptMandate extends Omit<MandateAccount, 'policy' | 'agentId'> {
  readonly id: string
  readonly version: number
}

/** The fields of a transaction's record that complete its inputs. */
export type RecordedSpend = Pick<
  Transaction,
  'id' | 'agentId' | 'path' | 'vendor' | 'category' | 'reference'
>

type MandateRow = readonly [
  id: string,
  version: number,
  status: StoredMandateStatus,
  budgetTotal: string,
  spent: string,
  held: string,
  overdrawn: string,
  periodStart: Instant | null,
]

/** The shape of the text that `inputs.ts` writes. */
type Row = readonly [
  judging: 0 | 1,
  amount: string,
  currency: string | null,
  holdMs: number | 'forever' | null,
  isFrozen: boolean,
  agentStatus: AgentStatus,
  tags: readonly string[],
  draftMandateId: string | null,
  mandates: readonly MandateRow[],
  counters: KeptCounters,
  vendor: readonly [firstAt: Instant, lastAmount: string | null, approvedAmount?: string] | null,
  vendorsIncomplete: boolean,
  payee: KnownPayee | null,
  card: WithTexts<CardSpend> | null,
  permit: WithTexts<Permit> | null,
]

/** Amounts are strings in JSON. */
type WithTexts<T> = {
  readonly [Key in keyof T]: T[Key] extends Micros
    ? string
    : T[Key] extends Micros | null
      ? string | null
      : T[Key]
}

/** Parses without validation, because the text comes from our own record. */
export function readInputs(
  text: string,
  organizationId: string,
  recorded: RecordedSpend,
): KeptInputs {
  const row = JSON.parse(text) as Row
  const [judging, amount, currency, holdMs, isFrozen, agentStatus, tags, draft, ...rest] = row
  const [mandates, counters, vendor, vendorsIncomplete, payee, card, permit] = rest
  const { id: transactionId, agentId, path, category, reference } = recorded
  return {
    judging: judging === 0 ? 'decide' : 'record',
    spend: {
      transactionId,
      organizationId,
      agentId,
      path,
      amount: BigInt(amount),
      currency,
      vendor: recorded.vendor,
      category,
      reference,
      payee,
      holdMs: holdMs === 'forever' ? Number.POSITIVE_INFINITY : holdMs,
      card: card && { ...card, total: micros(card.total), partialUnit: micros(card.partialUnit) },
    },
    isFrozen,
    agentStatus,
    tags,
    draftMandateId: draft ?? undefined,
    mandates: mandates.map(toMandate),
    counters,
    vendor: vendor ? toVendor(vendor) : undefined,
    vendorsIncomplete,
    permit: permit ? { ...permit, maxAmount: BigInt(permit.maxAmount) } : undefined,
  }
}

/** The account on which the decision of this instant was based. */
export function accountOf(
  inputs: KeptInputs,
  policyOf: (mandate: KeptMandate) => Policy,
  at: Instant,
): Account {
  const { spend, agentStatus: status, tags, draftMandateId, permit } = inputs
  const policies = inputs.mandates.map(policyOf)
  const counters = countersOf(inputs, policies, at)
  return {
    organization: { frozen: inputs.isFrozen },
    agent: { id: spend.agentId, status, tags, draftMandateId },
    mandates: policies.map((policy, index) => accountWith(policy, inputs, index)),
    usage: {
      counter: (key) => counters.get(key),
      isRead: (key) => counters.has(key),
      vendor: inputs.vendor,
      vendorsIncomplete: inputs.vendorsIncomplete,
    },
    ...(permit && { permit }),
  }
}

function accountWith(
  policy: Policy,
  { mandates, spend }: KeptInputs,
  index: number,
): MandateAccount {
  const mandate = mandates[index]
  assert(mandate, 'each mandate has its policy')
  const { status, budgetTotal, spent, held, overdrawn, periodStart } = mandate
  // No answer depends on which agents hold the parent mandates, so the spender's id stands for them.
  const { agentId } = spend
  return { policy, agentId, status, budgetTotal, spent, held, overdrawn, periodStart }
}

function toVendor([firstAt, lastAmount, approved]: NonNullable<Row[10]>): VendorHistory {
  const approvedAmount = micros(approved ?? null)
  return { firstAt, lastAmount: micros(lastAmount), approvedAmount }
}

function toMandate(row: MandateRow): KeptMandate {
  const [id, version, status, budgetTotal, spent, held, overdrawn, periodStart] = row
  return {
    id,
    version,
    status,
    budgetTotal: BigInt(budgetTotal),
    spent: BigInt(spent),
    held: BigInt(held),
    overdrawn: BigInt(overdrawn),
    periodStart,
  }
}

/** The counters that the decision read, by key; undefined for a counter without any count. */
export function countersOf(
  { counters: kept, spend }: KeptInputs,
  policies: readonly Policy[],
  at: Instant,
): Map<string, Counter | undefined> {
  if (kept === null) return new Map()
  if (!isSums(kept)) {
    return new Map(Object.entries(kept).map(([key, numbers]) => [key, fromBuckets(numbers)]))
  }
  const counters = new Map<string, Counter | undefined>()
  for (const { key } of policies.flatMap((policy) => countedBy(policy, spend))) {
    if (counters.has(key)) continue
    const sum = kept.slice(2 * counters.size, 2 * counters.size + 2)
    counters.set(key, fromBuckets([at, ...sum]))
  }
  return counters
}

function isSums(kept: NonNullable<KeptCounters>): kept is readonly (number | string)[] {
  return Array.isArray(kept)
}

function fromBuckets(numbers: readonly (number | string)[]): Counter | undefined {
  if (numbers.length === 0) return undefined
  const buckets: Bucket[] = []
  let [count, amount] = [0, 0n]
  for (let at = 0; at < numbers.length; at += 3) {
    const bucket = {
      start: Number(numbers[at]),
      count: Number(numbers[at + 1]),
      amount: BigInt(numbers[at + 2] ?? 0),
    }
    buckets.push(bucket)
    count += bucket.count
    amount += bucket.amount
  }
  return { buckets, count, amount, expiresAt: 0 }
}

function micros(text: string | null): Micros | null {
  return text === null ? null : BigInt(text)
}

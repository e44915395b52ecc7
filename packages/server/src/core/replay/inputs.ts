import { hash } from 'node:crypto'
import { canonicalTextOf } from '@purser/audit'
import { approvedAt } from '../counters/usage.ts'
import type { Account, MandateAccount, Usage } from '../decision/account.ts'
import type { Decision } from '../decision/decide.ts'
import type { Policy } from '../mandates/policy.ts'
import { countOf, type Spend } from '../spend.ts'
import { type Instant, toIso } from '../time/instant.ts'

/*
 * The inputs of a decision as text. Every decision writes it, so it is a list of a fixed shape that is
 * concatenated by hand. `kept-inputs.ts` reads it. Fields that the transaction's record holds already
 * are not in it, but the hash covers them too.
 */

/** The stored inputs of a decision. */
export interface DecisionInputs {
  readonly text: string
  /** The hashes of the terms that judged it. The database hashes them together with the rest. */
  readonly terms: string
}

/** The function that judged: `record` books money that cannot be refused any more. */
export type Judging = 'decide' | 'record'

/** Longer inputs are not stored: only a line with hundreds of busy limits needs as much. */
const LENGTH_MAX = 65_536

/** An account that tracks which counters the decision reads. */
export interface WatchedAccount {
  readonly account: Account
  /** The keys of these counters; a key may occur several times. */
  readonly seen: readonly string[]
}

export function watchAccount(watched: Account): WatchedAccount {
  const { organization, agent, mandates, usage, permit } = watched
  const seen: string[] = []
  const account = {
    organization,
    agent,
    mandates,
    usage: {
      counter(key: string) {
        seen.push(key)
        return usage.counter(key)
      },
      isRead(key: string) {
        seen.push(key)
        return usage.isRead(key)
      },
      vendor: usage.vendor,
      vendorsIncomplete: usage.vendorsIncomplete === true,
    },
    permit,
  }
  return { account, seen }
}

/** Returns null if the text would be too long to store. */
export function decisionInputs(
  judging: Judging,
  asked: Spend,
  watched: WatchedAccount,
  decision: Decision,
): DecisionInputs | null {
  const { account } = watched
  const { organization, agent, mandates, usage, permit } = account
  const { payee, card } = asked
  const text =
    `[${judging === 'decide' ? 0 : 1},"${asked.amount}",${asked.currency === null ? 'null' : `"${asked.currency}"`},` +
    `${holdText(asked.holdMs)},${organization.frozen},"${agent.status}",` +
    `${agent.tags.length === 0 ? '[]' : JSON.stringify(agent.tags)},` +
    `${idText(agent.draftMandateId)},${mandatesText(mandates)},` +
    `${countersText(asked, watched, decision)},` +
    `${vendorText(account)},${usage.vendorsIncomplete === true},` +
    `${payee === null ? 'null' : JSON.stringify(payee)},` +
    `${card === null ? 'null' : exactJson(card)},` +
    `${permit === undefined ? 'null' : exactJson(permit)}]`
  if (text.length > LENGTH_MAX) return null
  return { text, terms: termsText(mandates) }
}

/**
 * SHA-256 over all inputs of a decision, in base64: the stored inputs, the spend in the transaction's
 * record, and the terms of each mandate. The statement that stores a decision computes the same hash,
 * since hashing in the process would delay every decision.
 */
export function hashOf(
  spend: Spend,
  at: Instant,
  mandates: readonly MandateAccount[],
  text: string,
): string {
  const { organizationId, transactionId, agentId, path, vendor, category, reference } = spend
  // Only the reference can contain a line break, so it comes last.
  const told = `${vendor}\n${category === null ? '' : `=${category}`}\n${text}\n${reference === null ? '' : `=${reference}`}`
  const terms = termsText(mandates)
  const named = `${organizationId} ${transactionId} ${agentId} ${path} ${toIso(at)} ${terms}\n${told}`
  return hash('sha256', named, 'base64')
}

/** Never empty, because the statement would read an empty text as missing. */
function termsText(mandates: readonly MandateAccount[]): string {
  let text = String(mandates.length)
  for (const { policy } of mandates) text += ` ${termsHashOf(policy)}`
  return text
}

const TERMS_HASHES = new WeakMap<Policy, string>()

/**
 * Hashes all parts of a policy that judge a spend, not only the hash that is stored with it: so a
 * later change to the stored terms is detected. The levels of warnings judge nothing.
 */
function termsHashOf(policy: Policy): string {
  const known = TERMS_HASHES.get(policy)
  if (known !== undefined) return known
  const { hash: told, origins } = policy
  const { warningPercents: _, ...judging } = policy.terms
  const terms = { ...judging, budgetTotal: String(judging.budgetTotal) }
  const found = hash('sha256', canonicalTextOf([told, terms, origins]), 'base64')
  TERMS_HASHES.set(policy, found)
  return found
}

function mandatesText(mandates: readonly MandateAccount[]): string {
  let text = ''
  for (const { policy, status, budgetTotal, spent, held, overdrawn, periodStart } of mandates) {
    text +=
      `${text === '' ? '' : ','}["${policy.mandateId}",${policy.version},"${status}",` +
      `"${budgetTotal}","${spent}","${held}","${overdrawn}",${periodStart}]`
  }
  return `[${text}]`
}

/**
 * An approval depends only on the sums of its counters, and the rules determine which counters they
 * are: so the sums are written in the order of the rules. The advice of a rejection also depends on
 * when each bucket ends, and on counters for other amounts: there every counter that was read is
 * written with its key.
 */
function countersText(
  asked: Spend,
  { account, seen }: WatchedAccount,
  { decision, spend, counters }: Decision,
): string {
  if (seen.length === 0) return 'null'
  const isWhole = decision === 'approved' && spend.amount === asked.amount && counters.size > 0
  return isWhole && !account.mandates.some(hasMarks)
    ? sumsText(spend, counters)
    : bucketsText(seen, account.usage)
}

/** Rules that are strict until their history is counted read more than sums. */
function hasMarks({ policy }: MandateAccount): boolean {
  return policy.marks.length > 0
}

/** The sum of each counter before the spend: its present sum minus the spend, over the same window. */
function sumsText(spend: Spend, counters: Decision['counters']): string {
  const counts = countOf(spend)
  let text = ''
  for (const { count, amount } of counters.values()) {
    text += `${text === '' ? '' : ','}${count - counts},"${amount - spend.amount}"`
  }
  return `[${text}]`
}

/** An existing counter is written with at least one bucket, a missing one with none. */
function bucketsText(seen: readonly string[], usage: Usage): string {
  let text = ''
  for (const key of new Set(seen)) {
    if (!usage.isRead(key)) continue
    const counter = usage.counter(key)
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:[`
    if (counter?.buckets.length === 0) text += '0,0,"0"'
    counter?.buckets.forEach(({ start, count, amount }, index) => {
      text += `${index === 0 ? '' : ','}${start},${count},"${amount}"`
    })
    text += ']'
  }
  return `{${text}}`
}

function vendorText({ usage: { vendor } }: Account): string {
  if (vendor === undefined) return 'null'
  const { firstAt, lastAmount } = vendor
  if (lastAmount !== null) return `[${firstAt},"${lastAmount}"]`
  const approved = approvedAt(vendor)
  return approved === null ? `[${firstAt},null]` : `[${firstAt},null,"${approved}"]`
}

function holdText(holdMs: number | null): string {
  return holdMs === Number.POSITIVE_INFINITY ? '"forever"' : String(holdMs)
}

/** An id contains no character that JSON would escape. */
function idText(id: string | undefined): string {
  return id === undefined ? 'null' : `"${id}"`
}

/** JSON with exact amounts. Only cards and approvals need it, and they are few. */
function exactJson(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  )
}

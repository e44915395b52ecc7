import { hash } from 'node:crypto'
import { canonicalTextOf } from '@purser/audit'
import { approvedAt } from '../counters/usage.ts'
import type { Account, MandateAccount, Usage } from '../decision/account.ts'
import type { Decision } from '../decision/decide.ts'
import type { Policy } from '../mandates/policy.ts'
import { countOf, type Spend } from '../spend.ts'
import { type Instant, toIso } from '../time/instant.ts'

/*
 * What a decision was made from, as text. Every decision writes it, so it is a list of a fixed shape
 * that is put together by hand. `kept-inputs.ts` reads it. What the record of the transaction holds
 * already is not in it, but the hash covers that too.
 */

/** What is stored of the inputs of a decision. */
export interface Given {
  readonly text: string
  /** The hashes of the terms that it was judged by. The database hashes them with all the rest. */
  readonly terms: string
}

/** Which function judged: `record` books what cannot be refused any more. */
export type Judging = 'decide' | 'record'

/** Beyond this nothing is kept: only a line with hundreds of busy limits comes to so much. */
const LENGTH_MAX = 65_536

/** An account that notes which counters were asked for. */
export interface WatchedAccount {
  readonly account: Account
  /** Their keys, some of them several times. */
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

/** Null where it would be too long to be kept. */
export function givenOf(
  judging: Judging,
  asked: Spend,
  watched: WatchedAccount,
  decision: Decision,
): Given | null {
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
 * SHA-256 over everything that judging was given, in base64: the inputs, what the record holds of the
 * spend, and the terms of each mandate. The statement that stores a decision computes the same, since
 * a decision waits for each hash that it computes itself.
 */
export function hashOf(
  spend: Spend,
  at: Instant,
  mandates: readonly MandateAccount[],
  text: string,
): string {
  const { organizationId, transactionId, agentId, path, vendor, category, reference } = spend
  // Only the reference can hold a line break, so it comes last.
  const told = `${vendor}\n${category === null ? '' : `=${category}`}\n${text}\n${reference === null ? '' : `=${reference}`}`
  const terms = termsText(mandates)
  const named = `${organizationId} ${transactionId} ${agentId} ${path} ${toIso(at)} ${terms}\n${told}`
  return hash('sha256', named, 'base64')
}

/** Never empty, because a statement would read an empty text as none. */
function termsText(mandates: readonly MandateAccount[]): string {
  let text = String(mandates.length)
  for (const { policy } of mandates) text += ` ${termsHashOf(policy)}`
  return text
}

const TERMS_HASHES = new WeakMap<Policy, string>()

/**
 * Over all that a policy is made of, and not over the hash that is stored with it: so terms that were
 * changed in the record show.
 */
function termsHashOf(policy: Policy): string {
  const known = TERMS_HASHES.get(policy)
  if (known !== undefined) return known
  const { hash: told, origins } = policy
  const terms = { ...policy.terms, budgetTotal: String(policy.terms.budgetTotal) }
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
 * An approval follows from the sums alone, and which counters they belong to follows from the rules: so
 * they are written in the order of these. What a rejection advises also depends on when each bucket
 * ends, and on counters of other amounts: there all that was asked for is written with its key.
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

/** Rules that are strict until their past is counted ask for more than sums. */
function hasMarks({ policy }: MandateAccount): boolean {
  return policy.marks.length > 0
}

/** What each counter said before: the sum that it has now, which counts from the same instant on. */
function sumsText(spend: Spend, counters: Decision['counters']): string {
  const counts = countOf(spend)
  let text = ''
  for (const { count, amount } of counters.values()) {
    text += `${text === '' ? '' : ','}${count - counts},"${amount - spend.amount}"`
  }
  return `[${text}]`
}

/** A counter that is there has at least one bucket here: one that is not there has none. */
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

/** An id holds nothing that JSON would write in another way. */
function idText(id: string | undefined): string {
  return id === undefined ? 'null' : `"${id}"`
}

/** JSON with exact amounts; only cards and approvals, which are few, need it. */
function exactJson(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  )
}

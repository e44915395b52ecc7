import type { Approval, AskingRule, MayNotDecideReason, PathName } from '@purser/sdk'
import { findingName } from '../../words/findings.ts'
import { formatAmount } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** An approval can be used for at least this long. */
const USABLE_MS_MIN = 15 * MINUTE_MS

/** How long an approval can be used: as long as the request could wait, at least 15 minutes. */
export function goodFor({ createdAt, expiresAt }: Approval): string {
  const waits = Date.parse(expiresAt) - Date.parse(createdAt)
  return durationOf(Math.max(waits, USABLE_MS_MIN))
}

function durationOf(ms: number): string {
  if (ms >= 2 * DAY_MS) return countOf(Math.round(ms / DAY_MS), 'day')
  if (ms >= 2 * HOUR_MS) return countOf(Math.round(ms / HOUR_MS), 'hour')
  return countOf(Math.round(ms / MINUTE_MS), 'minute')
}

/** The payment path inside a sentence. */
export const BY_PATH: Readonly<Record<PathName, string>> = {
  evaluate: 'by the direct path',
  x402: 'by x402',
  acp: 'by ACP checkout',
  card: 'by card',
}

/** Why approval is needed, in a few words for a row: "above 500.00", "new vendor". */
export function askedBecause({ rules, currency }: Approval): string {
  const [first, ...others] = rules
  if (!first) return 'needs approval'
  const words = ruleWords(first, currency)
  return others.length === 0 ? words : `${words} and ${others.length} more`
}

function ruleWords(rule: AskingRule, currency: string): string {
  if (rule.type === 'approval' && typeof rule.limit === 'number') {
    return rule.limit === 0 ? 'every spend' : `above ${formatAmount(rule.limit, currency)}`
  }
  const name = findingName(rule)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Why this person gets no buttons. The scope's own sentence names who may. */
export function mayNotSentence(
  reason: MayNotDecideReason | null,
  scopeReason: string | undefined,
): string {
  if (reason === 'approval_own_request') {
    return 'You sent this spend yourself, so another person must decide.'
  }
  if (reason === 'four_eyes_required') {
    return 'Your organization requires a second person to decide, and you count as the sender.'
  }
  return scopeReason ?? 'You may not decide this request.'
}

/** Codes of a refused answer that the page explains better than the gateway. */
export function isOwnRequest(code: string | undefined): code is MayNotDecideReason {
  return code === 'approval_own_request' || code === 'four_eyes_required'
}

/** "approved" or "rejected", for a sentence with the person before it. */
export const DECIDED: Readonly<Record<'approve' | 'reject', string>> = {
  approve: 'approved',
  reject: 'rejected',
}

import { isSameCurrency } from '../currency.ts'
import type { Spend } from '../spend.ts'
import { type Instant, toIso } from '../time/instant.ts'
import type { Account, MandateAccount } from './account.ts'

/** Why a spend is not judged by any rule. */
export interface Gate {
  readonly code: string
  readonly message: string
  /** When it opens by itself; undefined: waiting does not help. */
  readonly opensAt?: Instant
}

/** The first gate that is closed, in a fixed order. Behind a closed one nothing else is looked at. */
export function closedGate(spend: Spend, account: Account, now: Instant): Gate | undefined {
  const { organization, agent, mandates } = account
  if (organization.frozen) {
    return { code: 'organization_frozen', message: 'The organization has stopped all spending.' }
  }
  if (agent.status === 'paused') {
    return { code: 'agent_paused', message: 'The agent is paused and may not spend.' }
  }
  const [own] = mandates
  if (!own || mandates.some(isEnded)) return NO_ACTIVE_MANDATE
  return (
    notStarted(mandates, now) ??
    expired(mandates, now) ??
    otherCurrency(spend, own) ??
    otherPayee(spend)
  )
}

/** Whether the agent has a mandate that a decision can name. */
export function hasActiveMandate({ mandates }: Account): boolean {
  return mandates.length > 0 && !mandates.some(isEnded)
}

const NO_ACTIVE_MANDATE: Gate = {
  code: 'no_active_mandate',
  message: 'The agent has no active mandate.',
}

/**
 * One that has expired is not meant here: it has a code of its own, and which of the two an agent
 * gets must not depend on whether somebody has written the expiry down.
 */
function isEnded({ status }: MandateAccount): boolean {
  return status === 'draft' || status === 'revoked'
}

function notStarted(mandates: readonly MandateAccount[], now: Instant): Gate | undefined {
  let opensAt = now
  for (const { policy } of mandates) opensAt = Math.max(opensAt, policy.terms.validFrom ?? opensAt)
  if (opensAt === now) return undefined
  const message = `The mandate is valid from ${toIso(opensAt)}.`
  return { code: 'mandate_not_started', message, opensAt }
}

function expired(mandates: readonly MandateAccount[], now: Instant): Gate | undefined {
  for (const { policy, status } of mandates) {
    const { validUntil } = policy.terms
    const isOver = validUntil !== null && now >= validUntil
    if (isOver || status === 'expired') {
      return { code: 'mandate_expired', message: 'The mandate has expired.' }
    }
  }
  return undefined
}

function otherCurrency({ currency }: Spend, { policy }: MandateAccount): Gate | undefined {
  if (currency === null || isSameCurrency(currency, policy.terms.currency)) return undefined
  const message = `The mandate is in ${policy.terms.currency}, and the spend in ${currency}.`
  return { code: 'currency_mismatch', message }
}

/** The money would go to somebody the vendor is not known by: what the rules say of it is beside the point. */
function otherPayee({ payee }: Spend): Gate | undefined {
  if (!payee || payee.mismatch === null) return undefined
  return { code: 'payee_mismatch', message: payee.mismatch }
}

import { isSameCurrency } from '../currency.ts'
import { toPublicId } from '../id.ts'
import { type DecisionCode, defineCodes, sharedCodes } from '../rules/codes.ts'
import type { CardSpend, Spend } from '../spend.ts'
import { type Instant, toIso } from '../time/instant.ts'
import type { Account, MandateAccount } from './account.ts'

export const gateCodes = {
  ...defineCodes({
    organization_frozen: {
      meaning: 'The organization has stopped all spending.',
      action:
        'Stop, and tell a person. Agents may spend again once the organization is no longer frozen.',
      repeat: 'after_change',
    },
    agent_paused: {
      meaning: 'The agent is paused and may not spend.',
      action: 'Stop, and tell a person. The agent may spend again once it is active.',
      repeat: 'after_change',
    },
    card_paused: {
      meaning: 'The card is paused and may not be used.',
      action: 'Stop, and tell a person. The card may be used again once it is active.',
      repeat: 'after_change',
    },
    card_closed: {
      meaning: 'The card is closed for good.',
      action: 'Use a different card, or ask a person for one.',
      repeat: 'no',
    },
    no_active_mandate: {
      meaning: 'The agent has no active mandate.',
      action:
        'Ask a person to activate a mandate for the agent. If the agent has a draft, `draftMandateId` and the message name it.',
      repeat: 'after_change',
    },
    mandate_not_started: {
      meaning: 'The mandate, or one of its parents, is not valid yet.',
      action: 'Wait until `next.retryAfter`.',
      repeat: 'later',
    },
    mandate_expired: {
      meaning: 'The mandate, or one of its parents, has expired.',
      action: 'Ask a person for a valid mandate.',
      repeat: 'after_change',
    },
    currency_mismatch: {
      meaning: 'The currency of the spend differs from the currency of the mandate.',
      action: 'Spend in the currency of the mandate, which the message names.',
      repeat: 'no',
    },
  }),
  payee_mismatch: sharedCodes.payee_mismatch,
}

/** Why no rule judges a spend. */
export interface Gate {
  readonly code: DecisionCode
  readonly message: string
  /** When it opens by itself. Undefined: waiting does not help. */
  readonly opensAt?: Instant
  /** The public id of a draft that only needs to be activated. */
  readonly draftMandateId?: string
}

/** The first closed gate, in a fixed order. Nothing behind a closed gate is checked. */
export function closedGate(spend: Spend, account: Account, now: Instant): Gate | undefined {
  const { organization, agent, mandates } = account
  if (organization.frozen) {
    return {
      code: gateCodes.organization_frozen.code,
      message: 'The organization has stopped all spending.',
    }
  }
  if (agent.status === 'paused') {
    return { code: gateCodes.agent_paused.code, message: 'The agent is paused and may not spend.' }
  }
  if (spend.card?.stop) return STOPPED_CARDS[spend.card.stop]
  const [own] = mandates
  if (!own || mandates.some(isEnded)) return noActiveMandate(agent.draftMandateId)
  return (
    notStarted(mandates, now) ??
    expired(mandates, now) ??
    otherCurrency(spend, own) ??
    otherPayee(spend)
  )
}

const STOPPED_CARDS: Readonly<Record<NonNullable<CardSpend['stop']>, Gate>> = {
  card_paused: {
    code: gateCodes.card_paused.code,
    message: 'The card is paused and may not be used.',
  },
  card_closed: { code: gateCodes.card_closed.code, message: 'The card is closed for good.' },
}

/** Whether the agent has a mandate that a decision can name. */
export function hasActiveMandate({ mandates }: Account): boolean {
  return mandates.length > 0 && !mandates.some(isEnded)
}

function noActiveMandate(draftId: string | undefined): Gate {
  const { code } = gateCodes.no_active_mandate
  const message = 'The agent has no active mandate.'
  if (draftId === undefined) return { code, message }
  const draftMandateId = toPublicId('mnd', draftId)
  return {
    code,
    message: `${message} Its draft ${draftMandateId} has not been activated.`,
    draftMandateId,
  }
}

/**
 * An expired mandate does not count here, because it has its own code. Which of the two codes an
 * agent gets must not depend on whether the expiry is already recorded.
 */
function isEnded({ status }: MandateAccount): boolean {
  return status === 'draft' || status === 'revoked'
}

function notStarted(mandates: readonly MandateAccount[], now: Instant): Gate | undefined {
  let opensAt = now
  for (const { policy } of mandates) opensAt = Math.max(opensAt, policy.terms.validFrom ?? opensAt)
  if (opensAt === now) return undefined
  const message = `The mandate is valid from ${toIso(opensAt)}.`
  return { code: gateCodes.mandate_not_started.code, message, opensAt }
}

function expired(mandates: readonly MandateAccount[], now: Instant): Gate | undefined {
  for (const { policy, status } of mandates) {
    const { validUntil } = policy.terms
    const isOver = validUntil !== null && now >= validUntil
    if (isOver || status === 'expired') {
      return { code: gateCodes.mandate_expired.code, message: 'The mandate has expired.' }
    }
  }
  return undefined
}

function otherCurrency({ currency }: Spend, { policy }: MandateAccount): Gate | undefined {
  if (currency === null || isSameCurrency(currency, policy.terms.currency)) return undefined
  const message = `The mandate is in ${policy.terms.currency}, but the spend is in ${currency}.`
  return { code: gateCodes.currency_mismatch.code, message }
}

/** The payee is not known to belong to the vendor, so no rule can let the spend pass. */
function otherPayee({ payee }: Spend): Gate | undefined {
  if (!payee || payee.mismatch === null) return undefined
  return { code: gateCodes.payee_mismatch.code, message: payee.mismatch }
}

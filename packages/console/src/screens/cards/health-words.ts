import type { CardConnection, CardConnectionHealth } from '@purser/sdk'
import { formatCount } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import type { Tone } from '../../words/words.ts'
import { OWN_INTEGRATION } from './providers.ts'

export interface HealthVerdict {
  readonly tone: Tone
  readonly word: string
  readonly sentence: string
}

type Judged = Pick<CardConnection, 'status' | 'deadlineMs' | 'health' | 'provider'>

/** Whether the issuer asks us, and in time: the worst thing first. */
export function healthOf({ status, deadlineMs, health, provider }: Judged): HealthVerdict {
  if (status !== 'active') {
    const word = status === 'removed' ? 'Removed' : 'Disabled'
    return { tone: 'done', word, sentence: 'Requests of the issuer are not answered.' }
  }
  return (
    worstOf(health) ?? slowOf(health, deadlineMs) ?? quietOf(health, provider === OWN_INTEGRATION)
  )
}

function worstOf(health: CardConnectionHealth): HealthVerdict | undefined {
  const { ungoverned24h, timeouts24h, signatureFailures24h, warnings } = health
  if (ungoverned24h > 0) {
    const times = countOf(ungoverned24h, 'time')
    return no('Ungoverned', `Money moved ${times} in 24 h without a request to the gateway.`)
  }
  if (timeouts24h > 0) {
    const times = countOf(timeouts24h, 'decision')
    return no('Too late', `${times} missed the deadline in 24 h.`)
  }
  if (signatureFailures24h > 0) {
    const requests = countOf(signatureFailures24h, 'request')
    return no('Wrong signature', `${requests} had an invalid signature in 24 h. Check the secret.`)
  }
  if (warnings.includes('events_silent')) {
    return {
      ...{ tone: 'ask', word: 'No events' },
      sentence: 'Authorizations were approved, but no event has arrived at the events URL since.',
    }
  }
  return undefined
}

function no(word: string, sentence: string): HealthVerdict {
  return { tone: 'no', word, sentence }
}

/** From this share of the deadline on, a person should look. */
const NEAR = 0.8

function slowOf({ p95Ms }: CardConnectionHealth, deadlineMs: number): HealthVerdict | undefined {
  if (p95Ms === null || p95Ms < deadlineMs * NEAR) return undefined
  const figures = `${formatCount(p95Ms)} of ${formatCount(deadlineMs)} ms`
  return {
    ...{ tone: 'ask', word: 'Slow' },
    sentence: `95 % of the answers take up to ${figures}. Answers after the deadline do not count.`,
  }
}

function quietOf(health: CardConnectionHealth, isOwn: boolean): HealthVerdict {
  const { lastRequestAt, unknownCards } = health
  if (lastRequestAt === null) {
    return {
      ...{ tone: 'ask', word: 'Not asked yet' },
      sentence: isOwn
        ? 'Your program has not sent a request to POST /gateway/card/authorize yet.'
        : 'The issuer has not sent a request. Register the URLs with the issuer.',
    }
  }
  if (unknownCards.length > 0) {
    const cards = countOf(unknownCards.length, 'card')
    return {
      ...{ tone: 'ask', word: 'Unknown cards' },
      sentence: `The issuer asked about ${cards} that no agent has.`,
    }
  }
  return {
    tone: 'ok',
    word: 'Working',
    sentence: 'The issuer asks the gateway, and it answers in time.',
  }
}

/** Names for an issuer's reports that a person should check. */
export const FLAG_NAMES: Readonly<Record<string, string>> = {
  other_currency: 'Different currency',
  unlinked_refund: 'Refund without a purchase',
  unreadable_event: 'Unreadable event',
}

/** "Hotels •••• 9920", or the issuer's id. */
export function cardName(card: {
  readonly label: string | null
  readonly last4: string | null
  readonly externalId: string
}): string {
  const parts = [card.label, card.last4 && `•••• ${card.last4}`].filter(Boolean)
  return parts.length === 0 ? card.externalId : parts.join(' ')
}

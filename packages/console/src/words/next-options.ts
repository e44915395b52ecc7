import type { NextOptions } from '@purser/sdk'
import { formatMoney } from './money.ts'
import { formatDay, formatTime } from './time.ts'
import { GATE_WORDS } from './words.ts'

/** Says how a rejected spend could have passed, as a title and sentences. */
export interface PassAdvice {
  /** True if there is an amount, a time or a person that lets it pass. */
  readonly isPossible: boolean
  readonly title: string
  readonly text: string
}

interface AdviceInput {
  /** The first reason for the rejection. */
  readonly code: string
  readonly next: NextOptions
  readonly vendor: string
  readonly amount: number
  readonly currency: string | null
  /** When the gateway said so. After a while it speaks of the past. */
  readonly evaluatedAt: Date
  readonly now: Date
  readonly timezone: string
  /** The first failed rule in words, for spends that nothing lets pass. */
  readonly reason: string
}

/** The advice is about the moment of the decision. Budgets and limits move on. */
const FRESH_MS = 10 * 60_000

/** Names the way to pass: a smaller amount, a person's approval, a later time, or none. */
export function passAdvice(input: AdviceInput): PassAdvice {
  const { evaluatedAt, now } = input
  const isFresh = now.getTime() - evaluatedAt.getTime() < FRESH_MS
  const title = isFresh ? 'Would pass now:' : 'Would have passed then:'
  const parts = amountWords(input)
  const wait = waitWords(input)
  if (parts.length > 0) {
    return {
      isPossible: true,
      title,
      text: `${parts.join(', or ')}. ${wait ?? 'Waiting does not help.'}`,
    }
  }
  if (wait !== undefined) return { isPossible: true, title: 'Would pass later.', text: wait }
  const when = isFresh ? 'would pass now' : 'would have passed then'
  return {
    isPossible: false,
    title: `Nothing about this spend ${when}:`,
    text: input.reason,
  }
}

/**
 * The amounts that pass, alone and with an approval. None for a duplicate: a different amount would
 * only hide that the spend was made before.
 */
function amountWords({ code, next, vendor, amount, currency }: AdviceInput): readonly string[] {
  if (code === 'duplicate_transaction') return []
  const alone = next.maxAmountNow ?? 0
  const approved = next.maxAmountWithApproval ?? 0
  const parts = alone > 0 ? [`up to ${formatMoney(alone, currency)} at ${vendor}`] : []
  if (approved <= alone) return parts
  const most = approved >= amount ? 'this amount' : `up to ${formatMoney(approved, currency)}`
  const place = alone > 0 ? '' : ` at ${vendor}`
  return [...parts, `${most}${place} with a person’s approval`]
}

function waitWords({ next, now, timezone }: AdviceInput): string | undefined {
  if (next.retryAfter === null) return undefined
  const at = new Date(next.retryAfter)
  const time = formatTime(at, timezone)
  const day = formatDay(at, timezone, now)
  const isToday = day === formatDay(now, timezone, now)
  const moment = isToday ? time : `${day}, ${time}`
  return at > now
    ? `The same spend passes from ${moment}.`
    : `The same spend may pass since ${moment}.`
}

/** Why no rule was checked, as a sentence; undefined for a code that is not a gate. */
export function gateSentence(code: string): string | undefined {
  const because = GATE_WORDS[code as keyof typeof GATE_WORDS]
  return because === undefined ? undefined : `No rule was checked, because ${because}.`
}

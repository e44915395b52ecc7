import type { Mandate } from '@purser/sdk'
import { usedText } from '../../words/budget.ts'
import { formatMoney } from '../../words/money.ts'
import { dateText } from '../../words/term-words.ts'
import { countOf } from '../../words/text.ts'
import { formatDay } from '../../words/time.ts'

/** "64 % used, 1,080.00 USD left." */
export function budgetSentence({
  percentUsed,
  remainingBudget,
  currency,
  exhausted,
}: Mandate): string {
  if (exhausted) return 'Budget exhausted.'
  return `${usedText(percentUsed)} used, ${formatMoney(remainingBudget, currency)} left.`
}

/** The state of a mandate in one sentence, with its meaning for the agent. */
export function stateSentence(mandate: Mandate, agent: string, now: Date): string {
  const { status, timezone, validFrom, validUntil, revokedAt } = mandate
  if (status === 'draft') {
    return mandate.draftOf === null
      ? `A draft. ${agent} cannot spend under it until it is activated.`
      : 'A draft of the next version. The active version applies until this one is activated.'
  }
  if (status === 'revoked') {
    const day = revokedAt ? ` on ${formatDay(new Date(revokedAt), timezone, now)}` : ''
    return `Revoked${day}. ${agent} cannot spend under it any more.`
  }
  if (status === 'expired') {
    const day = validUntil ? ` on ${formatDay(new Date(validUntil), timezone, now)}` : ''
    return `Expired${day}. Its spends are rejected.`
  }
  if (isLater(validFrom, now.getTime()))
    return `Active, and it starts on ${dateText(validFrom, timezone)}.`
  return mandate.exhausted
    ? `${agent} has used the whole budget.`
    : `${agent} can spend ${formatMoney(mandate.remainingBudget, mandate.currency)} more.`
}

/** When a mandate starts to apply to the agent, once it is activated. */
export function startSentence(
  agent: string,
  { validFrom, timezone }: Pick<Mandate, 'validFrom' | 'timezone'>,
  now: number,
): string {
  return isLater(validFrom, now)
    ? `It applies to ${agent} from ${dateText(validFrom, timezone)} on.`
    : `It applies to ${agent} from the next spend on, within a second.`
}

/** Replacing ends the active mandate at once, also if the new one starts later. */
export function gapSentence(
  agent: string,
  { validFrom, timezone }: Pick<Mandate, 'validFrom' | 'timezone'>,
  now: number,
): string | undefined {
  if (!isLater(validFrom, now)) return undefined
  return `${agent} has no mandate until ${dateText(validFrom, timezone)}, and all its spends are rejected until then.`
}

function isLater(validFrom: string | null, now: number): validFrom is string {
  return validFrom !== null && Date.parse(validFrom) > now
}

/** The effect of a revocation, with the child mandates that end too. */
export function revokeSentence(agent: string, children: number): string {
  const below =
    children === 0
      ? ''
      : `, and ${countOf(children, 'child mandate')} ${children === 1 ? 'ends' : 'end'} too`
  return `${agent} cannot spend from now on${below}. A revoked mandate cannot be activated again.`
}

/** The name of who made a change. */
export function actorName(id: string | null, name: string | null | undefined): string {
  if (name) return name
  if (id === 'cli') return 'The operator'
  return id === 'system' || id === null ? 'The gateway' : id
}

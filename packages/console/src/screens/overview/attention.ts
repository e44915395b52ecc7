import type { ApiKey, Approval, CardConnection, Mandate, Usage } from '@purser/sdk'
import { usedText } from '../../words/budget.ts'
import { formatMoney, formatPercent } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import { formatDay, formatSpan } from '../../words/time.ts'
import type { Attention } from './attention-item.ts'
import { pausedAttention, type WebhookFacts, webhookAttention } from './attention-webhook.ts'
import { stateOf } from './budget-rows.ts'

/** The known facts. A list that is still loading, or that the member may not see, is missing. */
export interface AttentionFacts {
  readonly approvals?: { readonly total: number; readonly first: Approval | undefined } | undefined
  readonly mandates?: readonly Mandate[] | undefined
  /** Spends that the first exhausted budget rejected in its period. */
  readonly overBudget?: number | undefined
  readonly webhook?: WebhookFacts | undefined
  readonly connections?: readonly CardConnection[] | undefined
  readonly keys?: readonly ApiKey[] | undefined
  readonly usage?: Usage | undefined
  readonly timezone: string
  readonly now: Date
  /** The permissions of the member. Without them the verb is to look. */
  readonly may?: { readonly decide: boolean; readonly edit: boolean } | undefined
}

/** Keys that end within this time are named. */
const KEY_MS = 7 * 86_400_000
const PLAN_WARNS_AT = 0.8

/** The things that need a person, the most urgent first. */
export function attentionOf(facts: AttentionFacts): Attention[] {
  return [
    ...[
      approvals(facts),
      exhausted(facts),
      pausedAttention(facts.webhook) ?? webhookAttention(facts.webhook, facts.now),
      cards(facts),
    ],
    ...[near(facts), keys(facts), plan(facts)],
  ].filter((one) => one !== null)
}

function approvals({ approvals, now, may }: AttentionFacts): Attention | null {
  if (!approvals || approvals.total === 0) return null
  const { total, first } = approvals
  const left = first ? new Date(first.expiresAt).getTime() - now.getTime() : 0
  const what = first ? `${formatMoney(first.amount, first.currency)} at ${first.vendor}` : ''
  const begins = total === 1 ? 'It expires' : 'The first expires'
  return {
    ...{ kind: 'approvals', tone: 'ask', link: { to: '/approvals' } },
    verb: may?.decide === false ? 'View approvals' : 'Decide',
    title: total === 1 ? '1 spend needs approval.' : `${countOf(total, 'spend')} need approval.`,
    text: first && left > 0 ? `${begins} in ${formatSpan(left)}: ${what}.` : '',
  }
}

function exhausted(facts: AttentionFacts): Attention | null {
  const { mandates = [], overBudget = 0, now, may } = facts
  const empty = mandates.filter((mandate) => stateOf(mandate) === 'exhausted')
  const [first] = empty
  if (!first) return null
  const common = { kind: 'exhausted', tone: 'no' } as const
  if (empty.length > 1) {
    return {
      ...{ ...common, title: `${empty.length} budgets are exhausted.`, verb: 'View budgets' },
      text: `Every spend of ${namesOf(empty)} is rejected.`,
      link: { to: '/mandates', search: { status: 'active', sort: 'percentUsed' } },
    }
  }
  const resets =
    first.periodEnd === null
      ? 'It has no period: it stays exhausted until it is raised.'
      : `It resets on ${formatDay(new Date(first.periodEnd), first.timezone, now)}.`
  const rejected =
    overBudget > 0
      ? `${countOf(overBudget, 'spend')} over budget ${overBudget === 1 ? 'was' : 'were'} rejected. `
      : 'Its next spend will be rejected. '
  const isEditor = may?.edit !== false
  return {
    ...{ ...common, title: `${nameOf(first)} has exhausted its budget.` },
    verb: isEditor ? 'Change budget' : 'View budget',
    text: rejected + resets,
    link: { to: isEditor ? '/mandates/$id/edit' : '/mandates/$id', id: first.id },
  }
}

function cards({ connections = [] }: AttentionFacts): Attention | null {
  const sick = connections.filter(({ status, health }) => status === 'active' && sickness(health))
  const [first] = sick
  if (!first) return null
  return {
    ...{ kind: 'cards', tone: 'no', verb: 'View connection' },
    title:
      sick.length === 1
        ? `The card connection ${first.name} needs attention.`
        : `${sick.length} card connections need attention.`,
    text: sickness(first.health) ?? '',
    link: { to: '/cards/connections/$id', id: first.id },
  }
}

function sickness(health: CardConnection['health']): string | null {
  if (health.ungoverned24h > 0) {
    return `${countOf(health.ungoverned24h, 'purchase')} passed without a decision within 24 hours.`
  }
  if (health.timeouts24h > 0) {
    return `${countOf(health.timeouts24h, 'decision')} came too late within 24 hours.`
  }
  if (health.signatureFailures24h > 0) {
    return `${countOf(health.signatureFailures24h, 'request')} had a wrong signature within 24 hours.`
  }
  return health.warnings.length > 0 ? 'The issuer has stopped sending events.' : null
}

function near({ mandates = [] }: AttentionFacts): Attention | null {
  const close = mandates.filter((mandate) => stateOf(mandate) === 'near')
  const [first] = close
  if (!first) return null
  if (close.length > 1) {
    return {
      ...{ kind: 'near', tone: 'ask', verb: 'View budgets' },
      title: `${close.length} budgets are at 80 % or more.`,
      text: `${namesOf(close)}.`,
      link: { to: '/mandates', search: { status: 'active', sort: 'percentUsed' } },
    }
  }
  return {
    ...{ kind: 'near', tone: 'ask', verb: 'View budget' },
    title: `${nameOf(first)} has used ${usedText(first.percentUsed)} of its budget.`,
    text: `${formatMoney(first.remainingBudget, first.currency)} left.`,
    link: { to: '/mandates/$id', id: first.id },
  }
}

function keys({ keys: all = [], timezone, now }: AttentionFacts): Attention | null {
  const ending = all
    .filter(({ expiresAt }) => isSoon(expiresAt, now))
    .toSorted((a, b) => (a.expiresAt ?? '').localeCompare(b.expiresAt ?? ''))
  const [first] = ending
  if (!first?.expiresAt) return null
  const day = formatDay(new Date(first.expiresAt), timezone, now)
  return {
    ...{ kind: 'keys', tone: 'ask', verb: 'View keys', link: { to: '/keys' } },
    title:
      ending.length === 1
        ? `The API key ${first.name} expires on ${day}.`
        : `${ending.length} API keys expire within 7 days.`,
    text:
      ending.length === 1
        ? 'Programs that use it stop then.'
        : `${first.name} on ${day} is the first.`,
  }
}

function isSoon(expiresAt: string | null, now: Date): boolean {
  if (expiresAt === null) return false
  const left = new Date(expiresAt).getTime() - now.getTime()
  return left > 0 && left <= KEY_MS
}

function plan({ usage, timezone, now }: AttentionFacts): Attention | null {
  if (!usage) return null
  const { evaluations, agents, resetsAt } = usage
  const common = {
    kind: 'plan',
    verb: 'View usage',
    link: { to: '/settings/organization' },
  } as const
  const share = evaluations.limit ? evaluations.used / evaluations.limit : 0
  if (share >= PLAN_WARNS_AT) {
    const day = formatDay(new Date(resetsAt), timezone, now)
    return {
      ...{ ...common, tone: share >= 1 ? 'no' : 'ask' },
      title: `${formatPercent(Math.min(1, share))} of this month’s evaluations are used.`,
      text: share >= 1 ? `Every evaluation fails until ${day}.` : `The count resets on ${day}.`,
    }
  }
  if (agents.limit && agents.used >= agents.limit) {
    return {
      ...{ ...common, tone: 'ask', title: 'Your plan has no room for more agents.' },
      text: `${agents.used} of ${agents.limit} are used.`,
    }
  }
  return null
}

function nameOf({ agentName, name }: Mandate): string {
  return agentName ?? name
}

const NAMED = 3

/** "A, B, C and 2 more". */
function namesOf(mandates: readonly Mandate[]): string {
  const names = mandates.map(nameOf)
  const rest = names.length - NAMED
  if (rest > 0) return `${names.slice(0, NAMED).join(', ')} and ${rest} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

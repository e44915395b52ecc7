import type { EventKind } from '@purser/sdk'

/** The kinds of events by subject, in the order of docs/guide-webhooks.md. */
export const EVENT_GROUPS: readonly {
  readonly name: string
  /** In the sentence of the card: "decisions, budgets". */
  readonly noun: string
  readonly kinds: readonly EventKind[]
}[] = [
  {
    name: 'Decisions',
    noun: 'decisions',
    kinds: ['transaction.approved', 'transaction.rejected'],
  },
  {
    name: 'Budgets',
    noun: 'budgets',
    kinds: ['mandate.budget.warning', 'mandate.budget.exhausted'],
  },
  { name: 'Approvals', noun: 'approvals', kinds: ['approval.requested', 'approval.decided'] },
  {
    name: 'Later changes',
    noun: 'later changes',
    kinds: [
      'transaction.settled',
      'transaction.voided',
      'transaction.expired',
      'transaction.refunded',
    ],
  },
  {
    name: 'Plan and cards',
    noun: 'plan and cards',
    kinds: ['usage.warning', 'usage.exhausted', 'card.flagged'],
  },
  {
    name: 'Sign-ins',
    noun: 'sign-ins',
    kinds: [
      'sign_in.succeeded',
      'sign_in.failed',
      'sign_in.locked',
      'sign_in.refused',
      'sign_in.reset',
    ],
  },
]

export const ALL_KINDS: readonly EventKind[] = EVENT_GROUPS.flatMap(({ kinds }) => kinds)

/** "6 of 18 kinds: decisions, budgets, approvals." */
export function kindsSentence(chosen: readonly string[]): string {
  if (chosen.length === 0) return 'No kinds are chosen, so nothing is sent.'
  const set = new Set(chosen)
  const nouns = EVENT_GROUPS.filter(({ kinds }) => kinds.some((kind) => set.has(kind))).map(
    ({ noun }) => noun,
  )
  return `${chosen.length} of ${ALL_KINDS.length} kinds: ${nouns.join(', ')}.`
}

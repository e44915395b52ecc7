/** What the commands print of an approval. */
export interface ShownApproval {
  readonly id: string
  readonly status: string
  readonly agentName: string | null
  readonly agentId: string
  readonly vendor: string
  readonly category: string | null
  readonly amount: number
  readonly currency: string
  readonly path: string
  readonly reason: string | null
  readonly reference: string | null
  readonly payee: string | null
  readonly rules: readonly { readonly id: string; readonly message: string }[]
  readonly history: {
    readonly count: number
    readonly amount: number
    readonly lastAt: string | null
  }
  readonly remainingBudget: number
  readonly alike: number
  readonly decisions: readonly {
    readonly decision: string
    readonly actor: { readonly name: string }
    readonly comment: string | null
    readonly decidedAt: string
  }[]
  readonly permit: { readonly maxAmount: number; readonly expiresAt: string } | null
  readonly expiresAt: string
}

/** One line for a list. */
export function toLine(approval: ShownApproval): string {
  const { id, status, amount, currency, vendor, alike, expiresAt } = approval
  const times = alike > 1 ? ` (asked ${alike} times)` : ''
  const who = approval.agentName ?? approval.agentId
  return plain(`${id}  ${status}  ${amount} ${currency}  ${vendor}  ${who}${times}  ${expiresAt}`)
}

/** Everything that is needed to decide. */
export function toPage(approval: ShownApproval): string {
  const { amount, currency, history, permit } = approval
  const before =
    history.count === 0
      ? 'nothing'
      : `${history.count} spends, ${history.amount} ${currency}, the last at ${history.lastAt}`
  const rows: (readonly [string, string | null])[] = [
    ['id', approval.id],
    ['status', approval.status],
    ['agent', `${approval.agentName ?? ''} ${approval.agentId}`.trim()],
    ['wants to spend', `${amount} ${currency} at ${approval.vendor}`],
    ['category', approval.category],
    ['path', approval.path],
    ['pays to', approval.payee],
    ['reason', approval.reason],
    ['reference', approval.reference],
    ...approval.rules.map(({ id, message }) => [`rule ${id}`, message] as const),
    ['spent there before', before],
    ['left', `${approval.remainingBudget} ${currency}`],
    ['asked', `${approval.alike} times`],
    ['ends', approval.expiresAt],
    ['allowed', permit && `at most ${permit.maxAmount} ${currency} until ${permit.expiresAt}`],
    ...approval.decisions.map(({ decision, actor, comment, decidedAt }) => {
      const why = comment === null ? '' : `: ${comment}`
      return [decision, `by ${actor.name} at ${decidedAt}${why}`] as const
    }),
  ]
  const given = rows.filter((row): row is readonly [string, string] => row[1] !== null)
  const width = Math.max(...given.map(([name]) => name.length))
  return given.map(([name, value]) => plain(`${name.padEnd(width)}  ${value}`)).join('\n')
}

/**
 * Agents write some of these texts. A control character could move the cursor and show a person
 * another amount than the one that is approved.
 */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

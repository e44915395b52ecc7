/** The fields of an approval that the commands print. */
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
  readonly cardId: string | null
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
  readonly permit: {
    readonly maxAmount: number
    readonly expiresAt: string
    readonly usedAt: string | null
    readonly transactionId: string | null
  } | null
  readonly expiresAt: string
}

const COLUMN_MAX = 60

/** Formats approvals as a table, one line each. */
export function toLines(approvals: readonly ShownApproval[]): string[] {
  const rows = approvals.map(toCells)
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.min(COLUMN_MAX, Math.max(...rows.map((cells) => cells[column]?.length ?? 0))),
  )
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function toCells(approval: ShownApproval): string[] {
  const { id, status, amount, currency, vendor, alike, expiresAt } = approval
  const times = alike > 1 ? ` (requested ${timesOf(alike)})` : ''
  const who = `${approval.agentName ?? approval.agentId}${times}`
  const until = status === 'pending' || status === 'approved' ? `until ${expiresAt}` : ''
  return [id, status, `${amount} ${currency}`, vendor, who, until].map(plain)
}

/** Formats everything that a person needs for the decision. */
export function toPage(approval: ShownApproval): string {
  const { amount, currency, status } = approval
  const isUnanswered = status === 'expired' && approval.decisions.length === 0
  const rows: (readonly [string, string | null])[] = [
    ['id', approval.id],
    ['status', status],
    ['agent', `${approval.agentName ?? ''} ${approval.agentId}`.trim()],
    ['amount', `${amount} ${currency} at ${approval.vendor}`],
    ['category', approval.category],
    ['path', approval.path],
    ['payee', approval.payee],
    ['card', approval.cardId],
    ['reason', approval.reason],
    ['reference', approval.reference],
    ...approval.rules.map(({ id, message }) => [`rule ${id}`, message] as const),
    ['earlier spends', spentBefore(approval)],
    ['remaining budget', `${approval.remainingBudget} ${currency}`],
    ['requested', timesOf(approval.alike)],
    ['open until', status === 'pending' ? approval.expiresAt : null],
    ['expired at', isUnanswered ? approval.expiresAt : null],
    ...endOf(approval),
  ]
  const given = rows.filter((row): row is readonly [string, string] => row[1] !== null)
  const width = Math.max(...given.map(([name]) => name.length))
  return given.map(([name, value]) => plain(`${name.padEnd(width)}  ${value}`)).join('\n')
}

function spentBefore({ history, currency }: ShownApproval): string {
  const { count, amount, lastAt } = history
  if (count === 0) return 'nothing'
  const spends = count === 1 ? '1 spend' : `${count} spends`
  return `${spends}, ${amount} ${currency}, the last at ${lastAt}`
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** Returns the rows for the decisions and the use of the approval. */
function endOf({ decisions, permit, currency }: ShownApproval): (readonly [string, string])[] {
  const said = decisions.map(({ decision, actor, comment, decidedAt }) => {
    const why = comment === null ? '' : `: ${comment}`
    const name = decision === 'approve' ? 'approved' : 'rejected'
    return [name, `by ${actor.name} at ${decidedAt}${why}`] as const
  })
  if (!permit) return said
  const { maxAmount, expiresAt, usedAt, transactionId } = permit
  const allowed = `at most ${maxAmount} ${currency} until ${expiresAt}`
  const used = usedAt === null ? [] : [['used', `at ${usedAt} by ${transactionId}`] as const]
  return [...said, ['allowed', allowed], ...used]
}

/**
 * Replaces control characters. Agents write some of these texts, and a control character could move
 * the cursor and show a person a different amount than the one that is approved.
 */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

import type { Approval, DecidedApproval } from '@purser/sdk'
import { colorOf } from '../output/color.ts'
import { toMoneyText } from '../output/money.ts'
import { type Fact, toPage } from '../output/page.ts'
import { type Column, SHORT } from '../output/table.ts'

/** The columns of a list of approvals. */
export const approvalColumns: readonly Column<Approval>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'STATUS', text: ({ status }) => status, color: ({ status }) => colorOf(status) },
  {
    title: 'AMOUNT',
    text: ({ amount, currency }) => toMoneyText(amount, currency),
    align: 'right',
  },
  { title: 'VENDOR', text: ({ vendor }) => vendor, shrinksTo: SHORT },
  { title: 'AGENT', text: whoAsked, shrinksTo: SHORT, spare: 2 },
  { title: 'OPEN', text: openUntil, spare: 1 },
]

function whoAsked({ agentName, agentId, alike }: Approval): string {
  const times = alike > 1 ? ` (requested ${timesOf(alike)})` : ''
  return `${agentName ?? agentId}${times}`
}

function openUntil({ status, expiresAt }: Approval): string {
  return status === 'pending' || status === 'approved' ? `until ${expiresAt}` : ''
}

type Shown = Approval | DecidedApproval

/** Formats everything that a person needs for the decision. */
export function toApprovalPage(approval: Shown): string[] {
  const { amount, currency, status } = approval
  const isUnanswered = status === 'expired' && approval.decisions.length === 0
  return toPage([
    ['id', approval.id],
    ['status', status],
    ['agent', `${approval.agentName ?? ''} ${approval.agentId}`.trim()],
    ['amount', `${toMoneyText(amount, currency)} at ${approval.vendor}`],
    ['category', approval.category],
    ['path', approval.path],
    ['payee', approval.payee],
    ['card', approval.cardId],
    ['reason', approval.reason],
    ['reference', approval.reference],
    ...approval.rules.map(({ id, message }): Fact => [`rule ${id}`, message]),
    ['earlier spends', spentBefore(approval)],
    ['remaining budget', toMoneyText(approval.remainingBudget, currency)],
    ['requested', timesOf(approval.alike)],
    ['open until', status === 'pending' ? approval.expiresAt : null],
    ['expired at', isUnanswered ? approval.expiresAt : null],
    ...endOf(approval),
  ])
}

function spentBefore({ history, currency }: Shown): string {
  const { count, amount, lastAt } = history
  if (count === 0) return 'nothing'
  const spends = count === 1 ? '1 spend' : `${count} spends`
  return `${spends}, ${toMoneyText(amount, currency)}, the last at ${lastAt}`
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** Returns the rows for the decisions and the use of the approval. */
function endOf({ decisions, permit, currency }: Shown): Fact[] {
  const said = decisions.map(({ decision, actor, comment, decidedAt }): Fact => {
    const why = comment === null ? '' : `: ${comment}`
    const name = decision === 'approve' ? 'approved' : 'rejected'
    return [name, `by ${actor.name} at ${decidedAt}${why}`]
  })
  if (!permit) return said
  const { maxAmount, expiresAt, usedAt, transactionId } = permit
  const allowed = `at most ${toMoneyText(maxAmount, currency)} until ${expiresAt}`
  const used: Fact[] = usedAt === null ? [] : [['used', `at ${usedAt} by ${transactionId}`]]
  return [...said, ['allowed', allowed], ...used]
}

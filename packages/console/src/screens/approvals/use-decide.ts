import { type Approval, type ApprovalAnswer, PurserError } from '@purser/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { formatMoney } from '../../words/money.ts'
import { showApproval } from './use-watched-approval.ts'

/** The body of the answer. A yes to the whole amount names none. */
export function decisionBody({ decision, comment, allowed }: DecideInput, amount: number) {
  const note = comment.trim()
  return {
    decision,
    ...(note === '' ? {} : { comment: note }),
    ...(decision === 'approve' && allowed !== amount ? { maxAmount: allowed } : {}),
  }
}

export interface DecideInput {
  readonly decision: ApprovalAnswer
  readonly comment: string
  /** The amount that a yes allows. */
  readonly allowed: number
}

/** Sends the answer to one request and shows the result at once. */
export function useDecide(approval: Approval, onLate: () => void) {
  const client = useQueryClient()
  const { id, amount, currency, vendor } = approval
  const action = useAction({
    run: async (input: DecideInput, options) => {
      try {
        return await purser.approvals.decide(id, decisionBody(input, amount), options)
      } catch (error) {
        // The other answer can reach the page first and take the buttons away, with this hook.
        if (PurserError.is(error) && error.code === 'approval_decided') onLate()
        throw error
      }
    },
    sentence: ({ decision, allowed }) =>
      decision === 'approve'
        ? `Approve ${formatMoney(allowed, currency)} at ${vendor}.`
        : `Reject ${formatMoney(amount, currency)} at ${vendor}.`,
    touches: [['approvals', 'list'], ['transactions']],
    done: (_, { decision, allowed }) =>
      decision === 'approve'
        ? `Approved ${formatMoney(allowed, currency)}.`
        : `Rejected ${formatMoney(amount, currency)}.`,
    onDone: ({ also: _, ...decided }) => showApproval(client, decided as Approval),
  })
  const isLate = action.error?.code === 'approval_decided'
  const start = async (input: DecideInput) => {
    await action.start(input)
    // Another answer may have been first: the page shows it in place of the buttons.
    await client.invalidateQueries({ queryKey: queries.approval(id).queryKey })
  }
  return { start, isBusy: action.isBusy, error: isLate ? null : action.error, reset: action.reset }
}

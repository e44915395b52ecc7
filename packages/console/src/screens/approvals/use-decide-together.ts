import type { Approval, ApprovalAnswer } from '@purser/sdk'
import { purser } from '../../data/client.ts'
import { type RunningAction, useAction } from '../../data/use-action.ts'
import { formatMoney } from '../../words/money.ts'
import { type Answered, answerTogether } from './answer-together.ts'

/** The body of one answer for several requests. */
export function togetherBody({ decision, comment }: Input, alsoIds: readonly string[]) {
  const note = comment.trim()
  return { decision, alsoIds, ...(note === '' ? {} : { comment: note }) }
}

interface Input {
  readonly decision: ApprovalAnswer
  readonly comment: string
}

export type DecideTogether = RunningAction<Input, readonly Answered[]>

/** Sends one answer for all, and returns the result of each request. */
export function useDecideTogether(
  approvals: readonly Approval[],
  sum: number,
  onDone: (results: readonly Answered[]) => void,
): DecideTogether {
  return useAction({
    run: (input: Input, { idempotencyKey }) =>
      answerTogether(
        approvals.map(({ id }) => id),
        (id, alsoIds, index) =>
          purser.approvals.decide(id, togetherBody(input, alsoIds), {
            idempotencyKey: `${idempotencyKey}-${index}`,
          }),
      ),
    sentence: ({ decision }) =>
      `${decision === 'approve' ? 'Approve' : 'Reject'} ${approvals.length} requests of ${formatMoney(sum, approvals[0]?.currency ?? '')} together.`,
    touches: [['approvals'], ['transactions']],
    onDone,
  })
}

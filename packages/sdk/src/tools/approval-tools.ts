import type { Approval, Evaluation } from '../generated/types/index.ts'
import { decidedResult } from './decided-result.ts'
import { defineTool, READS } from './define-tool.ts'
import { ownApproval, signalOf } from './own.ts'
import { explainRejection } from './rejection.ts'
import { type FieldSchema, inputSchema } from './schema.ts'
import {
  answering,
  evaluateOnce,
  PURCHASE_FIELDS,
  PURCHASE_REQUIRED,
  spendOf,
} from './spend-tools.ts'
import type { Tool, ToolClient, ToolContext, ToolResult } from './types.ts'
import { untrusted } from './untrusted.ts'
import type { Input } from './validate.ts'

/** The gateway answers after this time at the latest, before proxies and clients give up. */
const WAIT_SECONDS_MAX = 50

const WAIT_SECONDS: FieldSchema = {
  type: 'integer',
  description: 'How many seconds to wait for the person.',
  minimum: 0,
  maximum: WAIT_SECONDS_MAX,
}

export const requestApproval: Tool = defineTool({
  name: 'request_approval',
  title: 'Ask a person for approval',
  description:
    'Ask a person to approve a purchase. The request is made only if an approval is what the purchase lacks; otherwise nothing is recorded, and the result says what to do. Waits for the person for up to 50 seconds; if the result is `pending`, go on waiting with get_approval. Once approved, call authorize_spend with the same purchaseId and the same arguments.',
  inputSchema: inputSchema({ ...PURCHASE_FIELDS, waitSeconds: WAIT_SECONDS }, PURCHASE_REQUIRED),
  hints: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  work: (purser, input, context) =>
    answering(purser, input, context, () => askPerson(purser, input, context)),
})

/** An evaluation that passes is a purchase, so the simulation says first whether it would pass. */
async function askPerson(
  purser: ToolClient,
  input: Input,
  context: ToolContext,
): Promise<ToolResult> {
  const { decision, evaluationDetails } = await purser.gateway.simulate(
    spendOf(input),
    signalOf(context),
  )
  const facts = { isError: false, recorded: false }
  if (decision === 'approved') {
    return {
      ...facts,
      status: 'not_needed',
      summary:
        'No approval is needed: the purchase would pass now. Nothing was recorded. Call authorize_spend with the same purchaseId and arguments.',
    }
  }
  if (evaluationDetails.code !== 'approval_required') {
    const explained = explainRejection(evaluationDetails)
    const summary = `A person cannot lift this by an approval, so nothing was requested or recorded. ${explained.summary}`
    return { ...facts, ...explained, status: 'not_possible', summary }
  }
  const bought = await evaluateOnce(purser, input, context, (answer) =>
    isAnswered(purser, answer, context),
  )
  const { answer } = bought
  const approvalId = answer.evaluationDetails.approval?.id
  if (answer.decision === 'approved' || !approvalId) return decidedResult(purser, bought, context)
  const seconds = waitOf(input, context, WAIT_SECONDS_MAX)
  const approval = await ownApproval(purser, approvalId, seconds, context)
  return { ...approvalResult(approval), recorded: !bought.repeated }
}

/** A request that a person can still answer, or has answered, is not made a second time. */
async function isAnswered(
  purser: ToolClient,
  { evaluationDetails: { approval } }: Evaluation,
  context: ToolContext,
): Promise<boolean> {
  if (!approval) return false
  const { status } = await purser.approvals.get(approval.id, {}, signalOf(context))
  return status !== 'expired' && status !== 'used'
}

export const getApproval: Tool = defineTool({
  name: 'get_approval',
  title: 'Read an approval request',
  description:
    'Read the state of an approval request, and wait for the person if you give waitSeconds. While it is `pending`, call again; do not spend, and do not ask a second time.',
  inputSchema: inputSchema(
    {
      approvalId: {
        type: 'string',
        description: 'The id of the approval request.',
        minLength: 1,
        maxLength: 100,
      },
      waitSeconds: WAIT_SECONDS,
    },
    ['approvalId'],
  ),
  hints: READS,
  async work(purser, input, context) {
    const seconds = waitOf(input, context, 0)
    return approvalResult(await ownApproval(purser, String(input['approvalId']), seconds, context))
  },
})

function waitOf({ waitSeconds }: Input, { waitSecondsMax }: ToolContext, otherwise: number) {
  const wanted = typeof waitSeconds === 'number' ? waitSeconds : otherwise
  return Math.min(wanted, waitSecondsMax ?? WAIT_SECONDS_MAX, WAIT_SECONDS_MAX)
}

function approvalResult(approval: Approval): ToolResult {
  const { id, status, amount, currency, vendor, category, path, permit, url, expiresAt } = approval
  return {
    isError: false,
    approvalId: id,
    ...{ status, amount, currency, vendor, category, path, url, expiresAt },
    maxAmount: permit?.maxAmount ?? null,
    usedByTransactionId: permit?.transactionId ?? null,
    summary: wordsOf(approval),
    untrusted: untrusted({
      comments:
        approval.decisions
          .map(({ comment }) => comment)
          .filter(Boolean)
          .join('\n') || null,
      reason: approval.reason,
      reference: approval.reference,
    }),
  }
}

function wordsOf({ status, amount, permit, url, path, expiresAt }: Approval): string {
  const tool = path === 'x402' ? 'pay_x402' : 'authorize_spend'
  switch (status) {
    case 'pending':
      return `No person has decided yet${url ? `; they decide at ${url}` : ''}. The request expires at ${expiresAt}. Call get_approval to wait. Do not pay.`
    case 'approved':
      return permit && permit.maxAmount < amount
        ? `A person approved at most ${permit.maxAmount} instead of ${amount}. Buy for that amount with ${tool}, this approvalId and a new purchaseId, or do not buy.`
        : `A person approved this. Call ${tool} with the same purchaseId and the same arguments, before ${expiresAt}. The approval alone pays nothing.`
    case 'rejected':
      return 'A person said no. Do not buy this, do not ask again, and do not change the purchase to get around the answer.'
    case 'used':
      return 'This approval was used for a purchase. It allows no second one.'
    case 'expired':
      return 'The request was not answered, or the approval was not used, in time. Call request_approval to ask again.'
  }
}

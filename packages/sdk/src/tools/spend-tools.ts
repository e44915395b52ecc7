import type { Evaluation, SpendInput } from '../generated/types/index.ts'
import { decidedResult } from './decided-result.ts'
import { defineTool, READS } from './define-tool.ts'
import { describeEarlier } from './earlier.ts'
import { errorResult, reusedResult } from './error-result.ts'
import { ownTransaction } from './own.ts'
import { type Bought, buyOnce, hashedKey, isReused } from './purchase.ts'
import { explainRejection } from './rejection.ts'
import { HOLD_FOR, inputSchema, PURCHASE_ID, SPEND_FIELDS } from './schema.ts'
import type { Tool, ToolClient, ToolContext, ToolResult } from './types.ts'
import type { Input } from './validate.ts'

export const checkSpend: Tool = defineTool({
  name: 'check_spend',
  title: 'Check a spend',
  description:
    'Ask whether a purchase would be allowed now. Nothing is spent, reserved or recorded. Use it before you commit to a purchase; then call authorize_spend, because only that decision counts.',
  inputSchema: inputSchema({ ...SPEND_FIELDS }, ['amount', 'vendor', 'category']),
  hints: READS,
  async work(purser, input, { signal }) {
    const answer = await purser.gateway.simulate(spendOf(input), { ...(signal && { signal }) })
    const { decision, remainingBudget, evaluationDetails, amount, vendor, flags } = answer
    const facts = { isError: false, decision, amount, vendor, remainingBudget, recorded: false }
    if (decision === 'rejected') return { ...facts, ...explainRejection(evaluationDetails) }
    return {
      ...facts,
      flags,
      summary: `The purchase would be approved now. Nothing has been spent: call authorize_spend before you pay.`,
    }
  },
})

/** The input of authorize_spend and request_approval, which belong to the same purchase. */
export const PURCHASE_FIELDS = { purchaseId: PURCHASE_ID, ...SPEND_FIELDS, holdFor: HOLD_FOR }
export const PURCHASE_REQUIRED = ['purchaseId', 'amount', 'vendor', 'category'] as const

export const authorizeSpend: Tool = defineTool({
  name: 'authorize_spend',
  title: 'Authorize a spend',
  description:
    'Ask for permission to spend, and take the amount from the budget. Call it before you pay a vendor, and pay only if the decision is `approved`. Repeating the call with the same purchaseId and arguments never buys twice; after a rejection it is judged again. If the result says `repeated: true`, the purchase was approved before: check whether you have paid already.',
  inputSchema: inputSchema(
    {
      ...PURCHASE_FIELDS,
      approvalId: {
        type: 'string',
        description:
          'Only to use an approval under a new purchaseId, for example because a person approved a smaller amount. Otherwise leave it out: the approval of this purchase is found by itself.',
        minLength: 1,
        maxLength: 100,
      },
    },
    PURCHASE_REQUIRED,
  ),
  hints: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  work: (purser, input, context) =>
    answering(purser, input, context, async () => {
      return decidedResult(purser, await evaluateOnce(purser, input, context), context)
    }),
})

/** Sends the spend of the model at most once. */
export function evaluateOnce(
  purser: ToolClient,
  input: Input,
  { signal }: ToolContext,
  stopAt?: (answer: Evaluation) => Promise<boolean>,
): Promise<Bought<Evaluation>> {
  const spend = spendOf(input)
  return buyOnce<Evaluation>({
    path: 'evaluate',
    purchaseId: String(input['purchaseId']),
    approvalId: input['approvalId'] as string | undefined,
    send: (approvalId, options) =>
      purser.gateway
        .evaluate(
          { ...spend, ...(approvalId && { approvalId }) },
          { ...options, ...(signal && { signal }) },
        )
        .withResponse(),
    ...(stopAt && { stopAt }),
  })
}

/** Runs a purchase, and explains a `purchaseId` that was used for something else. */
export async function answering(
  purser: ToolClient,
  input: Input,
  context: ToolContext,
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await run()
  } catch (error) {
    if (!isReused(error)) return errorResult(error)
    const purchaseId = String(input['purchaseId'])
    return reusedResult(purchaseId, await describeEarlier(purser, purchaseId, input, context))
  }
}

/**
 * The fields always have the same order: the gateway compares a repeated request byte for byte.
 * The `purchaseId` is no `reference`, because a `duplicate` rule compares references, and a model
 * that gives every try a new name must not get around it.
 */
export function spendOf(input: Input): SpendInput {
  const { agentId, amount, vendor, category, currency, reference, reason, holdFor, purchaseId } =
    input as unknown as SpendInput & { holdFor?: string; purchaseId?: string }
  return {
    ...(agentId && { agentId }),
    amount,
    vendor,
    category,
    ...(currency && { currency }),
    ...(reference && { reference }),
    ...(reason && { reason }),
    ...(purchaseId && { metadata: { purchaseId } }),
    ...(holdFor && { hold: { expiresIn: holdFor } }),
  }
}

export const settleSpend: Tool = defineTool({
  name: 'settle_spend',
  title: 'Settle a held spend',
  description:
    'Close a hold that authorize_spend placed (`holdFor`). With outcome `paid`, say what was really paid; the rest returns to the budget. With `not_paid`, release the hold: only if you are certain that no money moved. If you do not know whether money moved, leave the hold and tell a person.',
  inputSchema: inputSchema(
    {
      transactionId: {
        type: 'string',
        description: 'The transactionId of the hold.',
        minLength: 1,
        maxLength: 100,
      },
      outcome: {
        type: 'string',
        description: '`paid` (default) or `not_paid`.',
        enum: ['paid', 'not_paid'],
      },
      amount: {
        type: 'number',
        description: 'The amount that was paid. Default: the whole hold. Not with `not_paid`.',
        exclusiveMinimum: 0,
      },
    },
    ['transactionId'],
  ),
  hints: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  async work(purser, input, context) {
    const {
      transactionId,
      outcome = 'paid',
      amount,
    } = input as {
      transactionId: string
      outcome?: string
      amount?: number
    }
    if (outcome === 'not_paid' && amount !== undefined) {
      return {
        isError: true,
        code: 'invalid_arguments',
        summary: 'settle_spend was not run. Leave out `amount` if nothing was paid.',
        retryable: true,
      }
    }
    if (context.agentId) await ownTransaction(purser, transactionId, context)
    const { signal } = context
    const options = {
      idempotencyKey: await hashedKey('settle', transactionId, outcome, amount ?? null),
      ...(signal && { signal }),
    }
    const closed =
      outcome === 'paid'
        ? await purser.transactions.settle(
            transactionId,
            amount === undefined ? {} : { amount },
            options,
          )
        : await purser.transactions.void(transactionId, {}, options)
    const { status, settledAmount, heldAmount, remainingBudget, currency } = closed
    return {
      isError: false,
      ...{ transactionId, status, settledAmount, heldAmount, remainingBudget, currency },
      summary:
        outcome === 'paid'
          ? `Settled: ${settledAmount} ${currency ?? ''} spent. The rest of the hold is back in the budget.`
          : 'Released: nothing was spent, and the whole amount is back in the budget.',
    }
  },
})

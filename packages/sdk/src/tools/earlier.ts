import type { Earlier } from './error-result.ts'
import { signalOf } from './own.ts'
import type { ToolClient, ToolContext } from './types.ts'
import type { Input } from './validate.ts'

/** How many of the latest transactions are searched for the first purchase of that name. */
const SEARCHED = 100

/** Finds what a `purchaseId` was used for; undefined if it is not among the latest transactions. */
export async function describeEarlier(
  purser: ToolClient,
  purchaseId: string,
  { agentId }: Input,
  context: ToolContext,
): Promise<Earlier | undefined> {
  const query = { limit: SEARCHED, view: 'summary' as const }
  const page = await purser.transactions
    .list({ ...query, ...(typeof agentId === 'string' && { agentId }) }, signalOf(context))
    .page()
    // The answer is only friendlier with it, and the key may lack the scope.
    .catch(() => undefined)
  const found = page?.data.find(({ metadata }) => metadata?.['purchaseId'] === purchaseId)
  if (!found) return undefined
  const { transactionId, decision, status, amount, vendor, category, currency, path, approvalId } =
    found
  return {
    facts: {
      transactionId,
      decision,
      status,
      amount,
      vendor,
      category,
      currency,
      path,
      approvalId,
    },
    texts: { reason: found.reason, reference: found.reference },
  }
}

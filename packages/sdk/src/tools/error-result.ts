import { PurserError } from '../client/errors.ts'
import type { ToolResult } from './types.ts'
import { untrusted } from './untrusted.ts'

export interface ToolError extends ToolResult {
  readonly isError: true
  readonly code: string
  /** Whether the same call can succeed without a change by a person or by the model. */
  readonly retryable: boolean
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  agent_not_found: 'Check the agentId, or leave it out.',
  agent_bound_key: 'Your API key may not do this. Tell a person.',
  amount_above_hold: 'Settle at most the held amount, and tell a person about the rest.',
  approval_not_found: 'Check the approvalId. You can read only approvals of your own agent.',
  idempotency_in_flight: 'The first call is still running. Call again with the same arguments.',
  idempotency_key_reused: 'Call explain_transaction to see what has happened.',
  mandate_not_found: 'Tell a person that you have no mandate.',
  plan_limit_exceeded: 'The plan of the organization is used up. Stop, and tell a person.',
  purchase_rejected_often:
    'Stop, and tell a person. Once the reason is gone, use a new purchaseId; nothing was bought under this one.',
  rate_limited: 'Wait, then call again with the same arguments.',
  signer_unavailable:
    'Call again with exactly the same arguments. If the result stays the same, nothing was paid: tell a person.',
  transaction_not_found:
    'Check the transactionId. You can read only transactions of your own agent.',
  transaction_state: 'Call explain_transaction to see its state. Do not settle it again.',
  upstream_redirect:
    'Nothing was paid. The target is in `untrusted`; call it only if you trust it.',
  upstream_timeout: 'The vendor did not answer in time. Nothing was paid. Try again later.',
  upstream_unreachable: 'The vendor cannot be reached. Nothing was paid. Check the URL.',
  url_not_allowed: 'The gateway does not call this address. Use a different vendor.',
  validation_failed: 'Correct the arguments and call again.',
  wallet_insufficient_funds: 'The wallet has too little money. Tell a person.',
  wallet_not_configured: 'The organization has no wallet. Tell a person.',
  x402_payment_stopped: 'Spending was stopped. Do not try again; tell a person.',
  x402_fetch_off: 'The organization does not let the gateway call vendors. Tell a person.',
  x402_max_amount_exceeded:
    'The price is above your maxAmount. Nothing was paid. Raise maxAmount only if the person you work for would pay that price.',
}

/** Turns an error into a result for the model: the cause and the next step, never a stack. */
export function errorResult(error: unknown): ToolError {
  if (!PurserError.is(error)) {
    return {
      isError: true,
      code: 'tool_failed',
      summary: 'The tool failed for an unexpected reason. Tell a person.',
      retryable: false,
    }
  }
  if (lacksAgent(error)) return needsAgent()
  const { code, requestId, retryAfterSeconds, outcomeUnknown } = error
  const location = error.problem?.['location']
  return {
    isError: true,
    code,
    summary: `${causeOf(error)} ${nextStepOf(error)}`,
    retryable: mayRetry(error),
    outcomeUnknown,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    ...(requestId !== null && { requestId }),
    // The vendor wrote it.
    ...(location !== undefined && { untrusted: untrusted({ location }) }),
  }
}

/**
 * The detail of the gateway repeats the first mistake in a field and refers to the rest. A model gets
 * each of them once.
 */
function causeOf({ detail, errors }: PurserError): string {
  const mistakes = errors.map(
    ({ path, message }) => `${path || 'The request'} ${message.replace(/\.$/, '')}.`,
  )
  const isRepeated = errors[0] !== undefined && detail.includes(errors[0].message)
  return (isRepeated ? mistakes : [detail, ...mistakes]).join(' ')
}

/** The answer to a call that does not say for which agent it is. */
export function needsAgent(): ToolError {
  return {
    isError: true,
    code: 'agent_id_required',
    summary: 'The API key does not belong to exactly one agent. Call again with `agentId`.',
    retryable: true,
  }
}

function lacksAgent({ code, errors }: PurserError): boolean {
  return (
    code === 'validation_failed' &&
    errors.some(({ path, message }) => path === '/agentId' && /required/.test(message))
  )
}

/** The answer to a `purchaseId` that was used for something else. `earlier` is what it was. */
export function reusedResult(purchaseId: string, earlier: Earlier | undefined): ToolError {
  const cause = `You have used the purchaseId ${JSON.stringify(purchaseId)} for a call with other arguments. This call spent nothing.`
  return {
    isError: true,
    code: 'purchase_id_reused',
    summary: `${cause} To try that purchase again, repeat its arguments exactly, with the same reason and agentId. For a different purchase, choose a new purchaseId. Do not choose a new one for a purchase that may have been approved: it would be bought twice.`,
    retryable: false,
    ...(earlier && {
      earlier: {
        ...earlier.facts,
        untrusted: untrusted(earlier.texts),
      },
    }),
  }
}

export interface Earlier {
  readonly facts: Readonly<Record<string, unknown>>
  readonly texts: Readonly<Record<string, unknown>>
}

function nextStepOf(error: PurserError): string {
  const { code, status, outcomeUnknown } = error
  if (outcomeUnknown && code !== 'signer_unavailable') {
    return 'It is not known whether the call took effect. Call the tool again with exactly the same arguments: it never buys twice.'
  }
  const known = NEXT_STEPS[code]
  if (known) return known
  if (status === 401) return 'The API key is not valid. Stop, and tell a person.'
  if (status === 403) return 'Your API key may not do this. Do not retry; tell a person.'
  if (mayRetry(error)) return 'Call the tool again later with the same arguments.'
  return 'Do not repeat the same call.'
}

function mayRetry({ status, code, outcomeUnknown }: PurserError): boolean {
  if (outcomeUnknown || code === 'rate_limited' || code === 'idempotency_in_flight') return true
  return status === null ? code !== 'aborted' : status >= 500 || status === 408
}

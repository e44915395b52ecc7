/** Returns the decision of an answer in words, or undefined if there is none. */
export function readDecision(
  provider: 'stripe' | 'lithic' | 'generic',
  body: string,
): string | undefined {
  const answer = parsed(body)
  if (!answer) return undefined
  if (provider === 'stripe') return ofStripe(answer)
  if (provider === 'lithic') return ofLithic(answer)
  const { decision, code } = answer
  if (decision === 'approved') return 'Approved'
  return decision === 'rejected' ? `Declined (${String(code)})` : undefined
}

function ofStripe({ approved, amount, metadata }: Readonly<Record<string, unknown>>) {
  if (approved === true) return amount === undefined ? 'Approved' : 'Approved in part'
  const reason = isRecord(metadata) ? metadata['purser_reason'] : undefined
  return approved === false ? `Declined (${String(reason)})` : undefined
}

function ofLithic({ result, approved_amount: part }: Readonly<Record<string, unknown>>) {
  if (result === 'APPROVED') return part === undefined ? 'Approved' : 'Approved in part'
  return typeof result === 'string' ? `Declined (${result})` : undefined
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

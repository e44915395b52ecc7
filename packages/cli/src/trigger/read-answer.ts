import type { Issuer, TriggerAnswer } from '@purser/server'

/** Returns the decision of an answer in words, or undefined if there is none. */
export function readDecision(issuer: Issuer | undefined, body: string): string | undefined {
  const answer = parsed(body)
  const decided = answer && (issuer ? issuer.trigger.readAnswer(answer) : ofGeneric(answer))
  if (!decided) return undefined
  if (!decided.isApproved) return `Declined (${decided.reason})`
  return decided.isPartial ? 'Approved in part' : 'Approved'
}

function ofGeneric({
  decision,
  code,
}: Readonly<Record<string, unknown>>): TriggerAnswer | undefined {
  if (decision === 'approved') return { isApproved: true, isPartial: false }
  return decision === 'rejected' ? { isApproved: false, reason: String(code) } : undefined
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

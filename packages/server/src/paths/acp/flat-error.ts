import type { Problem } from '../../base/errors.ts'
import type { DoorAnswer } from '../../http/door.ts'

/** Maps our problem codes to the protocol's codes. All others keep their names. */
const CODES: Readonly<Record<string, { readonly status?: number; readonly code: string }>> = {
  unauthenticated: { code: 'unauthorized' },
  route_not_found: { code: 'not_found' },
  idempotency_key_reused: { status: 422, code: 'idempotency_conflict' },
  idempotency_in_flight: { code: 'idempotency_in_flight' },
  rate_limited: { code: 'too_many_requests' },
  plan_limit_exceeded: { code: 'too_many_requests' },
  internal_error: { code: 'internal_error' },
  storage_unavailable: { code: 'service_unavailable' },
  storage_full: { code: 'service_unavailable' },
  store_moved: { code: 'service_unavailable' },
  store_restored: { code: 'service_unavailable' },
  overloaded: { code: 'service_unavailable' },
}

/** Converts a problem to the protocol's flat error, which merchants and agent platforms read. */
export function toFlatError(problem: Problem, codes: typeof CODES = {}): DoorAnswer {
  const told = codes[problem.code] ?? CODES[problem.code]
  const status = told?.status ?? problem.status
  const { param, supportedVersions } = problem.extra
  const { retryAfterSeconds } = problem
  return {
    status,
    body: {
      type: typeOf(status),
      code: told?.code ?? problem.code,
      message: problem.message,
      ...(typeof param === 'string' && { param }),
      ...(supportedVersions !== undefined && { supported_versions: supportedVersions }),
    },
    headers: {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  }
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_exceeded'
  if (status === 503) return 'service_unavailable'
  return status >= 500 ? 'processing_error' : 'invalid_request'
}

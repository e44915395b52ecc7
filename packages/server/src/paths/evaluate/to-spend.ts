import type { Static } from 'typebox'
import { type FieldError, invalidFields } from '../../base/errors.ts'
import { BAD_CATEGORY, toCategory } from '../../core/category.ts'
import { toMicros } from '../../core/money.ts'
import type { Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'
import { parseDuration } from '../../core/time/instant.ts'
import { toVendor } from '../../core/vendor.ts'
import { newId } from '../../storage/new-id.ts'
import type { EvaluateBody } from './schemas.ts'

const HOLD_MIN_MS = 10_000
const HOLD_MAX_MS = 30 * 86_400_000

/**
 * Converts a request to the common form of a spend. Checks everything that the schema cannot
 * express, and reports it all at once.
 */
export function toSpend(
  organizationId: string,
  agentId: string,
  body: Static<typeof EvaluateBody>,
  now: Instant,
): Spend {
  const vendor = toVendor(body.vendor)
  const category = toCategory(body.category)
  const holdMs = body.hold === undefined ? null : parseDuration(body.hold.expiresIn)
  if (vendor === undefined || category === undefined || !isHold(holdMs)) {
    throw invalidFields([
      ...(vendor === undefined ? [VENDOR] : []),
      ...(category === undefined ? [BAD_CATEGORY] : []),
      ...(isHold(holdMs) ? [] : [HOLD]),
    ])
  }
  return {
    transactionId: newId(now),
    organizationId,
    agentId,
    path: 'evaluate',
    amount: toMicros(body.amount),
    currency: body.currency ?? null,
    vendor,
    category,
    reference: body.reference ?? null,
    payee: null,
    holdMs,
    card: null,
  }
}

function isHold(ms: number | null | undefined): ms is number | null {
  return ms === null || (ms !== undefined && ms >= HOLD_MIN_MS && ms <= HOLD_MAX_MS)
}

const VENDOR: FieldError = {
  path: '/vendor',
  code: 'format',
  message: 'must be a host name such as api.example.com, or a URL',
}
const HOLD: FieldError = {
  path: '/hold/expiresIn',
  code: 'range',
  message: 'must be between 10s and 30d',
}

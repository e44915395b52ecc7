import { createHash } from 'node:crypto'
import { canonicalTextOf } from '@purser/audit'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../base/errors.ts'
import { findCardNumber, type Subject } from '../../../core/card-number.ts'
import { isCurrency } from '../../../core/currency.ts'
import type { IdempotencyKey } from '../../../core/idempotency.ts'
import { fromMinor } from '../../../core/minor-unit.ts'
import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { ACP_PROBLEMS } from '../problems.ts'
import { CHECKOUT_VERSIONS, findVersion } from '../versions/index.ts'
import { type Fields, fieldsOf, isFields, isPathStep, readId } from '../versions/merchant-text.ts'

/** A request for a payment token from an agent platform, in the protocol's terms. */
export interface DelegationRequest {
  /** The id of an instrument, sent in the field for a card number. */
  readonly instrumentId: string
  readonly maxAmount: Micros
  /** The ISO 4217 code, in upper case. */
  readonly currency: string
  readonly sessionId: string
  readonly merchantId: string
  readonly endsAt: Instant
  readonly metadata: Readonly<Record<string, string>>
}

const KEY_FORM = /^[\x20-\x7e]{1,255}$/
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i
const METADATA_MAX = 50
const TEXT_MAX = 500
/**
 * Exempts ids from merchants and their providers: some consist of digits, and one in ten of those
 * looks like a card number.
 */
const ANYWHERE: Subject = {
  isAboutCards: false,
  exempt: new Set(['checkout_session_id', 'merchant_id']),
}

export function requireVersion({ headers }: FastifyRequest): void {
  const version = headers['api-version']
  if (typeof version === 'string' && findVersion(version)) return
  throw new Problem(
    ACP_PROBLEMS.acp_version_unsupported,
    'Send the header API-Version with one of the supported versions.',
    { extra: { supportedVersions: CHECKOUT_VERSIONS.map(({ name }) => name) } },
  )
}

/**
 * Returns the idempotency key, scoped to the agent. Two bodies are equal if they mean the same: the
 * order of names and the notation of numbers do not matter.
 */
export function requireDelegationKey(
  { headers, body }: FastifyRequest,
  agentId: string,
): IdempotencyKey {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || !KEY_FORM.test(key)) {
    throw new Problem(
      ACP_PROBLEMS.idempotency_key_required,
      'Send an Idempotency-Key of 1 to 255 printable characters.',
    )
  }
  const fingerprint = createHash('sha256')
    .update(`delegate_payment\n${canonicalTextOf(body ?? null)}`)
    .digest()
  return { space: agentId, key, fingerprint, matches: (stored) => stored.equals(fingerprint) }
}

/** Reads the body. Refuses card numbers before it does anything else with the body. */
export function readDelegation(body: unknown): DelegationRequest {
  const method = fieldsOf(fieldsOf(body)['payment_method'])
  if (findCardNumber(body, ANYWHERE) !== undefined || method['card_number_type'] === 'fpan') {
    throw new Problem(
      ACP_PROBLEMS.invalid_card,
      'This endpoint does not accept card numbers or security codes, and stored none. Send the id of an instrument as number, with card_number_type "network_token".',
      { extra: { param: '$.payment_method.number' } },
    )
  }
  if (!isFields(body)) throw invalid('$', 'must be a JSON object')
  if (method['type'] !== 'card') throw invalid('$.payment_method.type', 'must be "card"')
  const instrumentId = readId(method['number'])
  if (instrumentId === null) throw invalid('$.payment_method.number', 'must be a string')
  return { instrumentId, ...readAllowance(body['allowance']), metadata: readMetadata(body) }
}

function readAllowance(value: unknown): Omit<DelegationRequest, 'instrumentId' | 'metadata'> {
  const allowance = fieldsOf(value)
  const at = (name: string) => `$.allowance.${name}`
  if (allowance['reason'] !== 'one_time') throw invalid(at('reason'), 'must be "one_time"')
  const currency = readCurrency(allowance['currency'])
  if (currency === null) throw invalid(at('currency'), 'must be a currency code in lower case')
  const maxAmount = fromMinor(allowance['max_amount'], currency)
  if (maxAmount === undefined || maxAmount <= 0n) {
    throw invalid(at('max_amount'), 'must be a positive integer in the minor unit')
  }
  const sessionId = readId(allowance['checkout_session_id'])
  if (sessionId === null || isPathStep(sessionId)) {
    throw invalid(at('checkout_session_id'), 'must be the id of a session')
  }
  const merchantId = readId(allowance['merchant_id'])
  if (merchantId === null) throw invalid(at('merchant_id'), 'must be a string')
  const endsAt = readTime(allowance['expires_at'])
  if (endsAt === null) throw invalid(at('expires_at'), 'must be an RFC 3339 date-time')
  return { maxAmount, currency, sessionId, merchantId, endsAt }
}

function readCurrency(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[a-z]{3}$/.test(value)) return null
  const code = value.toUpperCase()
  return isCurrency(code) ? code : null
}

function readTime(value: unknown): Instant | null {
  const instant = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? null : instant
}

/** Reads the metadata, which the answer echoes and no rule judges. */
function readMetadata(body: Fields): Readonly<Record<string, string>> {
  const { metadata } = body
  const entries = isFields(metadata) ? Object.entries(metadata) : undefined
  const isSound =
    entries !== undefined &&
    entries.length <= METADATA_MAX &&
    entries.every(([, text]) => typeof text === 'string' && text.length <= TEXT_MAX)
  if (!isSound) throw invalid('$.metadata', 'must be an object of at most 50 short strings')
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]))
}

function invalid(param: string, message: string): Problem {
  return new Problem('validation_failed', `In the body, ${param} ${message}.`, { extra: { param } })
}

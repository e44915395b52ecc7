import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { refusedParameter } from '../../base/errors.ts'
import { toCategory } from '../../core/category.ts'
import { DECISION_CODES } from '../../core/decision/codes.ts'
import { toMicros } from '../../core/money.ts'
import { PATH_NAMES } from '../../core/path.ts'
import { toVendor } from '../../core/vendor.ts'
import { EXAMPLE_AGENT_ID, exampleId } from '../../http/document/examples.ts'
import { AgentId, fromPublicId, Money, publicId } from '../../http/document/schemas.ts'
import { readTimes, timesOf } from '../../http/validation/query-times.ts'
import { several, severalOf, valuesOf } from '../../http/validation/several.ts'
import type { TransactionFilter } from '../../storage/list-transactions.ts'
import { Decision, PathName, STATUSES, TransactionStatus } from './shape.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const CODES = DECISION_CODES.map(({ code }) => code)

/** The filters of the list and of the export. */
export const FilterFields = {
  agentId: Type.Optional(
    several(AgentId, UUID, {
      description: 'Only transactions of this agent.',
      example: EXAMPLE_AGENT_ID,
    }),
  ),
  mandateId: Type.Optional(
    several(publicId('mnd', 'the mandate'), 'mnd_[0-9a-f]{32}', {
      description: 'Only transactions under this mandate.',
      example: exampleId('mnd'),
    }),
  ),
  decision: Type.Optional(
    severalOf(Decision, ['approved', 'rejected'], 'Only transactions with this decision.'),
  ),
  status: Type.Optional(
    severalOf(TransactionStatus, STATUSES, 'Only transactions with this status.'),
  ),
  path: Type.Optional(severalOf(PathName, PATH_NAMES, 'Only transactions of this payment path.')),
  vendor: Type.Optional(
    several(Type.String({ format: 'vendor' }), '[^,]{1,253}', {
      description: 'Only entries with exactly this vendor host.',
      example: 'api.openai.com',
    }),
  ),
  category: Type.Optional(
    several(Type.String({ minLength: 1, maxLength: 64 }), '[^,]{1,64}', {
      description: 'Only transactions of this category.',
      example: 'llm',
    }),
  ),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Only transactions with exactly this reference.',
      examples: ['order-1'],
    }),
  ),
  code: Type.Optional(
    severalOf(
      Type.Enum(CODES, { type: 'string' }),
      CODES,
      'Only transactions with exactly this decision code.',
    ),
  ),
  rule: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'Only transactions that this rule rejected first or, if no rule rejected them, flagged first. This is the rule that GET /analytics/spend groups by. Transactions whose details retention has removed are not found by a rejection.',
      examples: ['amount'],
    }),
  ),
  approvalId: Type.Optional({
    ...publicId('apr', 'the approval'),
    description: 'Only transactions that requested, presented or used this approval.',
  }),
  cardId: Type.Optional({
    ...publicId('card', 'the card'),
    description: 'Only payments with this card.',
  }),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description:
        "Only transactions whose vendor's host or reference contains this text, in upper or lower case.",
      examples: ['openai'],
    }),
  ),
  flagged: Type.Optional(
    Type.Boolean({ description: 'Only transactions with (true) or without (false) flags.' }),
  ),
  ...timesOf('transactions created'),
  minAmount: Type.Optional({ ...Money, description: 'Only transactions of at least this amount.' }),
  maxAmount: Type.Optional({ ...Money, description: 'Only transactions of at most this amount.' }),
}

const Filter = Type.Object(FilterFields)

/** Translates the query parameters of a list or export. */
export function toFilter(
  { principal, timezone }: Pick<FastifyRequest, 'principal' | 'timezone'>,
  query: Static<typeof Filter>,
): TransactionFilter {
  const { vendor, approvalId, minAmount, maxAmount } = query
  return {
    agents: valuesOf(query.agentId),
    mandates: valuesOf(query.mandateId)?.map((id) => fromPublicId('mnd', id)),
    decisions: valuesOf(query.decision),
    statuses: valuesOf(query.status),
    paths: valuesOf(query.path),
    vendors: vendor === undefined ? undefined : vendorsOf(vendor),
    // A text that cannot be a category matches nothing, as it should.
    categories: valuesOf(query.category)?.map((category) => toCategory(category) ?? category),
    reference: query.reference,
    codes: valuesOf(query.code),
    rule: query.rule,
    approvalId: approvalId === undefined ? undefined : fromPublicId('apr', approvalId),
    cardId: query.cardId,
    q: query.q,
    isFlagged: query.flagged,
    ...readTimes(query, timezone),
    minAmount: minAmount === undefined ? undefined : toMicros(minAmount),
    maxAmount: maxAmount === undefined ? undefined : toMicros(maxAmount),
    agentIds: principal.agentIds,
  }
}

/** A URL means its host, and its path may contain a comma, so the whole text is tried first. */
function vendorsOf(text: string): readonly string[] {
  const whole = toVendor(text)
  if (whole !== undefined) return [whole]
  return [...new Set(text.split(',').map(vendorOf))]
}

function vendorOf(text: string): string {
  const vendor = toVendor(text)
  if (vendor === undefined) {
    throw refusedParameter(
      'vendor',
      'must be host names such as api.example.com, with commas between',
    )
  }
  return vendor
}

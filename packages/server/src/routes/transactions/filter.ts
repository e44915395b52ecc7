import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { toCategory } from '../../core/category.ts'
import { DECISION_CODES } from '../../core/decision/codes.ts'
import { toMicros } from '../../core/money.ts'
import { toVendor } from '../../core/vendor.ts'
import { AgentId, fromPublicId, Money, publicId } from '../../http/document/schemas.ts'
import { readTimes, timesOf } from '../../http/validation/query-times.ts'
import type { TransactionFilter } from '../../storage/transactions.ts'
import { Decision, PathName, TransactionStatus } from './shape.ts'

const CODES = DECISION_CODES.map(({ code }) => code)

/** The filters of the list and of the export. */
export const FilterFields = {
  agentId: Type.Optional({ ...AgentId, description: 'Only transactions of this agent.' }),
  mandateId: Type.Optional({
    ...publicId('mnd', 'the mandate'),
    description: 'Only transactions under this mandate.',
  }),
  decision: Type.Optional({ ...Decision, description: 'Only transactions with this decision.' }),
  status: Type.Optional({
    ...TransactionStatus,
    description: 'Only transactions with this status.',
  }),
  path: Type.Optional({ ...PathName, description: 'Only transactions of this payment path.' }),
  vendor: Type.Optional(
    Type.String({
      format: 'vendor',
      description: 'Only entries with exactly this vendor host.',
      examples: ['api.openai.com'],
    }),
  ),
  category: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Only transactions of this category.',
      examples: ['llm'],
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
    Type.Enum(CODES, {
      type: 'string',
      description: 'Only transactions with exactly this decision code.',
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
  const { mandateId, vendor, category, minAmount, maxAmount } = query
  return {
    agentId: query.agentId,
    mandateId: mandateId === undefined ? undefined : fromPublicId('mnd', mandateId),
    decision: query.decision,
    status: query.status,
    path: query.path,
    vendor: vendor === undefined ? undefined : toVendor(vendor),
    // A text that cannot be a category matches nothing, as it should.
    category: category === undefined ? undefined : (toCategory(category) ?? category),
    reference: query.reference,
    code: query.code,
    isFlagged: query.flagged,
    ...readTimes(query, timezone),
    minAmount: minAmount === undefined ? undefined : toMicros(minAmount),
    maxAmount: maxAmount === undefined ? undefined : toMicros(maxAmount),
    agentIds: principal.agentIds,
  }
}

import type { Micros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { DecisionRow } from '../../storage/decisions/store-decisions.ts'
import type { Statement } from '../../storage/engine/database.ts'
import type { RowStatement } from '../../storage/engine/row-statement.ts'
import type { Asked } from './asked.ts'
import type { CardRequest } from './issuers/issuer.ts'
import type { CaptureFact, Fact, RequestFact } from './ledger/facts.ts'
import { UNCONFIRMED_MS } from './ledger/hold-end.ts'
import { storeAsked } from './storage/asked-authorizations.ts'
import { removeCaptureOf, storeCaptureOf, storeRequestFact } from './storage/facts.ts'

interface Kept {
  readonly request: CardRequest
  readonly asked: Asked
  readonly at: Instant
}

/**
 * The statements that store a request in the transaction of its decision: the authorization, and the
 * request as a fact. If an approval is taken back later, they run again and store it as a decline.
 */
export function keepRequest(row: DecisionRow, kept: Kept): (Statement | RowStatement)[] {
  const isApproved = row.decision === 'approved'
  return keepWith(row, requestFact(kept.request, row.amount, isApproved, row.id), kept)
}

/** The facts that a request adds to its authorization. */
export function factsOfRequest(row: DecisionRow, request: CardRequest): readonly Fact[] {
  const isApproved = row.decision === 'approved'
  const fact = requestFact(request, row.amount, isApproved, row.id)
  const isCaptured = isApproved && request.type === 'single_message'
  return isCaptured ? [fact, captureFact(fact)] : [fact]
}

/** The same statements for a request that was approved without being judged. */
export function keepUnjudged(
  row: DecisionRow,
  fact: RequestFact,
  kept: Kept,
): (Statement | RowStatement)[] {
  return keepWith(row, fact, kept)
}

export function requestFact(
  { requestId, at, index }: CardRequest,
  amount: Micros,
  isApproved: boolean,
  transactionId: string,
): RequestFact {
  return { kind: 'request', id: requestId, at, index, amount, isApproved, transactionId }
}

function keepWith(
  { heldAmount }: DecisionRow,
  fact: RequestFact,
  { request, asked, at }: Kept,
): (Statement | RowStatement)[] {
  const { authorization } = asked
  const isSingle = request.type === 'single_message'
  const isCaptured = isSingle && fact.isApproved
  const whenHeld = heldAmount > 0n ? at + UNCONFIRMED_MS : null
  return [
    storeAsked(authorization, {
      held: heldAmount,
      at,
      isToBeBooked: isCaptured,
      lookAt: isCaptured ? at : whenHeld,
    }),
    storeRequestFact(authorization, fact),
    ...(isSingle ? [keepCapture(fact, { request, asked, at })] : []),
  ]
}

/** A single message is authorization and capture in one: no event reports the capture. */
function keepCapture(fact: RequestFact, { asked }: Kept): Statement {
  const { organizationId } = asked.spend
  if (!fact.isApproved) return removeCaptureOf(organizationId, asked.authorization, fact.id)
  return storeCaptureOf(organizationId, asked.authorization, captureFact(fact))
}

function captureFact({ id, at, amount }: RequestFact): CaptureFact {
  return { kind: 'capture', id, at, amount }
}

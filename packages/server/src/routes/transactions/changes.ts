import { type Static, Type } from 'typebox'
import { invalidFields, Problem } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import type { NewChange } from '../../core/change.ts'
import { toPublicId } from '../../core/id.ts'
import { type Micros, toMicros, toUnits } from '../../core/money.ts'
import type { PathName } from '../../core/path.ts'
import type { Principal } from '../../core/principal.ts'
import {
  type Transaction as CoreTransaction,
  endsByItself,
  transactionStatusAt,
} from '../../core/transaction.ts'
import type { Gateway, TransactionPlace } from '../../gateway/gateway.ts'
import type { EndByHand } from '../../gateway/holds/by-hand.ts'
import type { OnChanged } from '../../gateway/holds/change-transactions.ts'
import type { App } from '../../http/app.ts'
import { fromPublicId, nullable } from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import type { RecordChange } from '../../http/record-change.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { findTransaction } from '../../storage/transactions.ts'
import { AmountInput, SettleInput, VoidInput } from './change-inputs.ts'
import { Transaction, TransactionId, toTransactionShape } from './shape.ts'
import { transactionNotFound } from './transactions.ts'

const TransactionPath = Type.Object({ id: TransactionId })

interface ChangeParts {
  readonly gateway: Gateway
  readonly byHand: ReadonlyMap<PathName, EndByHand>
  readonly write: Write
  readonly now: () => number
}

interface ChangeRequest {
  readonly organizationId: string
  readonly principal: Principal
  readonly params: Static<typeof TransactionPath>
}

/** The endpoints that settle, void or refund an approved spend. */
export function transactionChangeRoutes(
  app: App,
  { gateway, byHand, write, now }: ChangeParts,
): void {
  app.route({
    method: 'POST',
    url: '/transactions/:id/settle',
    schema: {
      operationId: 'settleTransaction',
      summary: 'Settle a hold with the amount that was paid',
      description:
        'Releases the rest of the hold. An expired hold can still be settled, because the money has moved; the amount is then booked even if it exceeds the budget. Agent-bound keys cannot settle expired holds.',
      tags: ['Transactions'],
      params: TransactionPath,
      body: nullable(SettleInput),
      response: { 200: Transaction },
    },
    config: {
      scope: 'transactions:write',
      agentKeys: 'allowed',
      problems: [
        'transaction_not_found',
        'transaction_state',
        'amount_above_hold',
        'agent_bound_key',
      ],
    },
    handler: (request, reply) =>
      write(
        request,
        reply,
        (tx, record) =>
          change(
            tx,
            request,
            recordAs(record, 'transaction.settled', request.body),
            async (place) => {
              const proof = request.body?.proof
              const amount = amountOf(request.body)
              if (proof !== undefined) {
                const ends = await requireByHand(request, place, 'settle')
                if (amount !== undefined && !ends.takesAmount) throw wholeOnly()
                return ends.settle(place, proof, amount)
              }
              const afterExpiry = request.principal.agentIds === null
              return gateway.settle(place, { amount, afterExpiry, by: 'caller' })
            },
          ),
        (tx) => agentOf(tx, request),
      ),
  })

  app.route({
    method: 'POST',
    url: '/transactions/:id/void',
    schema: {
      operationId: 'voidTransaction',
      summary: 'Release a hold because no money moved',
      tags: ['Transactions'],
      params: TransactionPath,
      body: nullable(VoidInput),
      response: { 200: Transaction },
    },
    config: {
      scope: 'transactions:write',
      agentKeys: 'allowed',
      problems: ['transaction_not_found', 'transaction_state', 'agent_bound_key'],
    },
    handler: (request, reply) =>
      write(
        request,
        reply,
        (tx, record) =>
          change(
            tx,
            request,
            recordAs(record, 'transaction.voided', request.body),
            async (place) => {
              const reason = request.body?.reason
              if (reason === undefined) return gateway.void(place, 'caller')
              return (await requireByHand(request, place, 'void')).void(place, reason)
            },
          ),
        (tx) => agentOf(tx, request),
      ),
  })

  app.route({
    method: 'POST',
    url: '/transactions/:id/refund',
    schema: {
      operationId: 'refundTransaction',
      summary: 'Refund a settled spend, fully or partly',
      description:
        "Returns the amount to the mandate's budget; the gateway moves no money. A refund of a spend from an earlier budget period does not change the current budget. `limit` rules still count the spend. A card payment returns 409, because the issuer reports its refunds.",
      tags: ['Transactions'],
      params: TransactionPath,
      body: nullable(AmountInput),
      response: { 200: Transaction },
    },
    config: {
      scope: 'transactions:write',
      problems: ['transaction_not_found', 'transaction_state', 'amount_above_settled'],
    },
    handler: (request, reply) =>
      write(request, reply, (tx, record) =>
        change(tx, request, recordAs(record, 'transaction.refunded'), (place) =>
          gateway.refund(place, amountOf(request.body)),
        ),
      ),
  })

  /**
   * Only the organization itself may do this, and only for holds that neither expire nor can be closed
   * by a caller. A path may also settle money that is known to have moved after its hold ended.
   */
  async function requireByHand(
    { principal, params }: ChangeRequest,
    { tx, organizationId, id }: TransactionPlace,
    step: 'settle' | 'void',
  ): Promise<EndByHand> {
    const given = GIVEN[step]
    if (principal.agentIds !== null) throw boundKeyGives(given, step)
    const transaction = await findTransaction(tx, organizationId, id)
    if (!transaction) throw transactionNotFound(params.id)
    const ends = byHand.get(transaction.path)
    const waitsForProof = transaction.status === 'held' && !endsByItself(transaction)
    const isLate = transaction.status !== 'held' && transaction.status !== 'rejected'
    const isOpen = waitsForProof || (step === 'settle' && isLate && ends?.settlesLate === true)
    if (ends && isOpen) return ends
    throw new Problem(
      'transaction_state',
      `This transaction takes no ${given}. To ${step} an ordinary hold, omit \`${given}\`.`,
      { extra: { transactionStatus: transactionStatusAt(transaction, now()), allowed: [] } },
    )
  }

  async function change(
    tx: Tx,
    request: ChangeRequest,
    onChanged: OnChanged,
    book: (place: TransactionPlace) => Promise<CoreTransaction | undefined>,
  ): Promise<Static<typeof Transaction>> {
    const { organizationId, principal, params } = request
    const id = fromPublicId('txn', params.id)
    if (principal.agentIds !== null) await agentOf(tx, request)
    const transaction = await book({ tx, organizationId, id, onChanged })
    if (!transaction) throw transactionNotFound(params.id)
    return toTransactionShape(transaction, now(), principal)
  }
}

/** The field with which the organization closes a hold that waits for proof. */
const GIVEN = { settle: 'proof', void: 'reason' } as const

function boundKeyGives(given: string, step: string): Problem {
  return new Problem(
    'agent_bound_key',
    `A key that is bound to agents cannot send a ${given}: use a member's session or a key that is not bound to agents. Without \`${given}\`, the key can ${step} an ordinary hold.`,
  )
}

/**
 * Records a settlement, void or refund by the organization as a change. `given` is the proof or reason
 * that was sent.
 */
function recordAs(
  record: RecordChange,
  operation: NewChange['operation'],
  given: { readonly proof?: string; readonly reason?: string } | null = null,
): OnChanged {
  const { proof, reason } = given ?? {}
  return (changed, at) => {
    const subjectId = toPublicId('txn', changed.after.id)
    const after = { ...toFigures(changed.after), proof, reason }
    record({ operation, subjectId, at, before: toFigures(changed.before), after })
  }
}

function toFigures(transaction: CoreTransaction) {
  const { status, heldAmount, settledAmount, refundedAmount, flags } = transaction
  return {
    status,
    heldAmount: toUnits(heldAmount),
    settledAmount: toUnits(settledAmount),
    refundedAmount: toUnits(refundedAmount),
    flags: [...flags],
  }
}

/** An agent-bound key must not find out about other agents' transactions by trying ids. */
async function agentOf(
  tx: Tx,
  { organizationId, principal, params }: ChangeRequest,
): Promise<string> {
  const transaction = await findTransaction(tx, organizationId, fromPublicId('txn', params.id))
  if (!transaction || !actsFor(principal, transaction.agentId)) throw transactionNotFound(params.id)
  return transaction.agentId
}

function wholeOnly(): Problem {
  const message = 'cannot be combined with a proof: the proof settles the whole hold'
  return invalidFields([{ path: '/amount', code: 'not_allowed', message }])
}

function amountOf(body: Static<typeof AmountInput> | null): Micros | undefined {
  return body?.amount === undefined ? undefined : toMicros(body.amount)
}

import { randomUUID } from 'node:crypto'
import {
  toLithicAmounts,
  toLithicMerchant,
  toLithicRequest,
  toLithicTime,
} from '../../../src/paths/card/issuers/lithic-request.ts'
import { signAsLithic } from '../../../src/paths/card/issuers/sign.ts'
import type { Account, Movement, Protocol } from './protocol.ts'

/** Lithic's Auth Stream Access and its events, as far as the gateway sees them. */
export const lithicProtocol: Protocol = {
  newId: randomUUID,
  waitMs: 6_000,
  asksTwice: true,
  sign: signAsLithic,
  toRequest: toLithicRequest,
  readAnswer,
  toEvents: (account) => [toTransactionEvent(account)],
}

function readAnswer(body: unknown): { isApproved: boolean; amount?: number } | undefined {
  if (typeof body !== 'object' || body === null || !('result' in body)) return undefined
  const isPart = 'approved_amount' in body && typeof body.approved_amount === 'number'
  const amount = isPart ? { amount: Number(body.approved_amount) } : {}
  return { isApproved: body.result === 'APPROVED', ...amount }
}

const TYPES: Readonly<Record<Movement['kind'], string>> = {
  authorization: 'AUTHORIZATION',
  capture: 'CLEARING',
  refund: 'RETURN',
  reversal: 'AUTHORIZATION_REVERSAL',
  expiry: 'AUTHORIZATION_EXPIRY',
}

/** Every event contains the whole transaction with its full history. */
function toTransactionEvent(account: Account): object {
  const { authorizationId, purchase, held, movements, seconds } = account
  const settled = sumOf(movements, 'capture') - sumOf(movements, 'refund')
  const amount = settled === 0 ? held : settled
  return {
    event_type: 'card_transaction.updated',
    token: authorizationId,
    card_token: purchase.card,
    status: statusOf(account),
    result: movements.some(({ isApproved }) => isApproved) ? 'APPROVED' : 'DECLINED',
    amounts: {
      ...toLithicAmounts(purchase, amount),
      hold: { amount: held, currency: purchase.currency },
    },
    merchant: toLithicMerchant(purchase),
    network: 'VISA',
    created: toLithicTime(movements[0]?.seconds ?? seconds),
    updated: toLithicTime(seconds),
    events: movements.map((movement) => toEvent(account, movement)),
  }
}

function toEvent({ purchase }: Account, movement: Movement): object {
  const { id, kind, amount, isApproved, isSilent, seconds } = movement
  const isCredit = kind !== 'authorization' && kind !== 'capture'
  return {
    token: id,
    type: TYPES[kind],
    amounts: toLithicAmounts(purchase, kind === 'refund' ? -amount : amount),
    result: isApproved ? 'APPROVED' : 'DECLINED',
    detailed_results: isSilent ? ['CUSTOMER_ASA_TIMEOUT'] : [isApproved ? 'APPROVED' : 'DECLINED'],
    effective_polarity: isCredit ? 'CREDIT' : 'DEBIT',
    created: toLithicTime(seconds),
  }
}

function statusOf({ status, movements, held }: Account): string {
  if (movements.some(({ kind }) => kind === 'capture' || kind === 'refund')) return 'SETTLED'
  if (held > 0) return 'PENDING'
  if (status === 'reversed') return 'VOIDED'
  return status === 'expired' ? 'EXPIRED' : 'DECLINED'
}

function sumOf(movements: readonly Movement[], kind: Movement['kind']): number {
  return movements
    .filter((movement) => movement.kind === kind)
    .reduce((sum, { amount }) => sum + amount, 0)
}

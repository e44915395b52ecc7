import { invalidFields, Problem } from '../../base/errors.ts'
import { toUuid } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { TransactionPlace } from '../../gateway/gateway.ts'
import type { EndByHand } from '../../gateway/holds/by-hand.ts'
import { lockLinesOf } from '../../storage/decisions/locked-mandates.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { findTransaction, lockTransactions } from '../../storage/transactions.ts'
import { balancesOf } from './ledger/balances.ts'
import { type BookParts, transactionsOf, tryToBook } from './ledger/book.ts'
import type { Fact, ForeignFact } from './ledger/facts.ts'
import { endableFrom, endedByHand } from './ledger/hold-end.ts'
import { inCurrency } from './ledger/other-currency.ts'
import {
  type CardAuthorization,
  findAuthorizationNamed,
  lockAuthorization,
} from './storage/authorizations.ts'
import { listFacts, storeFacts } from './storage/facts.ts'

/** An authorization under all locks of its booking, with its facts. */
interface Locked {
  readonly status: Transaction['status']
  readonly authorization: CardAuthorization
  readonly facts: readonly Fact[]
  readonly now: Instant
}

/**
 * Ends card holds whose issuer is silent (ADR 37). A person's statement becomes a fact like those of
 * the issuer, and is booked like them: a later event of the issuer still counts.
 */
export function createByHand(parts: Pick<BookParts, 'gateway' | 'clock'>): EndByHand {
  async function lock(tx: Tx, organizationId: string, id: string): Promise<Locked | undefined> {
    const transaction = await findTransaction(tx, organizationId, id)
    const name = transaction && nameIn(transaction)
    const seen = name && (await findAuthorizationNamed(tx, organizationId, name))
    if (!seen) return undefined
    const { status } = transaction
    const ids = transactionsOf(seen, await listFacts(tx, organizationId, seen))
    const [, , authorization, told, now] = await Promise.all([
      lockLinesOf(tx, organizationId, ids),
      lockTransactions(tx, organizationId, ids),
      lockAuthorization(tx, organizationId, seen.id),
      listFacts(tx, organizationId, seen),
      parts.clock(tx),
    ])
    if (!authorization) return undefined
    const facts = inCurrency(told, authorization.currency)
    const isSame = new Set([...ids, ...transactionsOf(authorization, facts)]).size === ids.length
    if (!isSame) throw refusal(status, 'The issuer has just sent another request for it.')
    return { status, authorization, facts, now }
  }

  async function book(
    { tx, organizationId, id, onChanged }: TransactionPlace,
    { status, authorization }: Locked,
    fact: Fact,
  ): Promise<Transaction | undefined> {
    await storeFacts(tx, organizationId, authorization, [fact])
    const step = await tryToBook(parts, {
      tx,
      organizationId,
      id: authorization.id,
      // The change record is about the transaction in the request, not about the others of its
      // purchase.
      onChanged: (changed, now) => changed.after.id === id && onChanged?.(changed, now),
    })
    if (step === 'again' || step === 'absent' || step.isUnrecorded) {
      throw refusal(
        status,
        'The gateway is about to book an event of the issuer. Retry in a minute.',
      )
    }
    return findTransaction(tx, organizationId, id)
  }

  return {
    takesAmount: true,
    settlesLate: true,
    /** Only for captures in another currency: the issuer's events report everything else. */
    async settle(place, proof, amount) {
      const locked = await lock(place.tx, place.organizationId, place.id)
      if (!locked) return undefined
      const { foreign } = balancesOf(locked.facts)
      const captures = foreign.filter(({ of }) => of === 'capture')
      if (captures.length === 0) {
        throw refusal(
          locked.status,
          'Its issuer reports captures. If there will be none, void the hold with a reason.',
        )
      }
      const capture = captures.find(({ moneyId }) => moneyId === proof)
      if (!capture) throw unknownCapture(captures)
      if (amount === undefined) throw amountMissing()
      return book(place, locked, { kind: 'converted', id: proof, at: capture.at, amount })
    },
    async void(place) {
      const locked = await lock(place.tx, place.organizationId, place.id)
      if (!locked) return undefined
      const { status, authorization, facts, now } = locked
      const { askedAt, createdAt } = authorization
      const captured = balancesOf(facts).foreign.find(({ of }) => of === 'capture')
      if (captured) {
        throw refusal(
          status,
          `${toUnits(captured.amount)} ${captured.currency} were captured. Settle the hold with the converted amount, and with the proof ${captured.moneyId}.`,
        )
      }
      const from = endableFrom(facts, askedAt ?? createdAt, now)
      if (now < from) {
        throw refusal(
          status,
          `Its issuer sent an event about it within the last day, and may still capture it. You can void the hold from ${toIso(from)} on.`,
        )
      }
      return book(place, locked, endedByHand(facts))
    },
  }
}

/** The name of the purchase that a transaction belongs to, from the transaction's record. */
function nameIn({ external }: Transaction) {
  const { connectionId, authorizationId } = (external ?? {}) as Record<string, unknown>
  if (typeof connectionId !== 'string' || typeof authorizationId !== 'string') return undefined
  const id = toUuid('conn', connectionId)
  return id === undefined ? undefined : { connectionId: id, externalId: authorizationId }
}

function refusal(status: Transaction['status'], why: string): Problem {
  return new Problem('transaction_state', `You cannot end this hold by hand. ${why}`, {
    extra: { transactionStatus: status, allowed: [] },
  })
}

function unknownCapture(captures: readonly ForeignFact[]): Problem {
  const shown = captures.slice(0, 10).map(({ moneyId }) => moneyId)
  const message = `must be the id of a capture in another currency: ${shown.join(', ')}`
  return invalidFields([{ path: '/proof', code: 'mismatch', message }])
}

function amountMissing(): Problem {
  const message = 'is required: the captured amount in the currency of the transaction'
  return invalidFields([{ path: '/amount', code: 'required', message }])
}

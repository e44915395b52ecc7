import type { Instant } from '../../../core/time/instant.ts'
import type { TransactionFlag } from '../../../core/transaction.ts'
import type { Gateway } from '../../../gateway/gateway.ts'
import type { OnChanged } from '../../../gateway/holds/change-transactions.ts'
import { lockLinesOf } from '../../../storage/decisions/locked-mandates.ts'
import type { DatabaseClock } from '../../../storage/engine/clock.ts'
import type { Database, Tx } from '../../../storage/engine/database.ts'
import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import { lockTransactions } from '../../../storage/transactions.ts'
import { flagEvent } from '../flag-event.ts'
import { flagUnbudgeted } from '../registry/flagged.ts'
import {
  type CardAuthorization,
  findAuthorization,
  lockAuthorization,
  storeBooked,
} from '../storage/authorizations.ts'
import { listFacts } from '../storage/facts.ts'
import { noteForeign } from '../storage/foreign-money.ts'
import { type Balances, balancesOf } from './balances.ts'
import { targetsOf } from './booking.ts'
import type { Fact } from './facts.ts'
import { holdEndOf } from './hold-end.ts'
import { inCurrency } from './other-currency.ts'
import { recordUnasked } from './record.ts'

export interface BookParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly clock: DatabaseClock
  readonly now: () => Instant
}

/** An authorization after its booking. */
export interface Booked {
  readonly authorization: CardAuthorization
  readonly balances: Balances
  /** Whether the booking found money that no request covers. */
  readonly isNewlyRecorded: boolean
}

/** Runs in the transaction of the booking, for its side effects. */
export type AfterBooking = (
  tx: Tx,
  booked: Omit<Booked, 'isNewlyRecorded'> & { readonly organizationId: string },
  now: Instant,
) => void

/** A request decided during a booking adds a transaction; the booking then starts again. */
const TRIES_MAX = 5

/**
 * Adjusts the transactions of an authorization to the sums of its facts, from any earlier state (ADR
 * 37). Returns undefined if the authorization does not exist.
 */
export async function bookAuthorization(
  parts: BookParts,
  organizationId: string,
  id: string,
  after: AfterBooking = () => {},
): Promise<Booked | undefined> {
  let isNewlyRecorded = false
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const step = await repeatedTransaction(parts.db, organizationId, (tx) =>
      tryToBook(parts, { tx, organizationId, id }, after),
    )
    if (step === 'absent') return undefined
    if (step === 'again') continue
    if (!step.isUnrecorded) return { ...step, isNewlyRecorded }
    await recordUnasked(parts, organizationId, step.authorization, step.balances.ungoverned)
    isNewlyRecorded = true
  }
  throw new Error('An authorization changed during every attempt to book it.')
}

/** An authorization, and the listener for changes of its transactions. */
interface AuthorizationPlace {
  readonly tx: Tx
  readonly organizationId: string
  readonly id: string
  readonly onChanged?: OnChanged | undefined
}

export interface Step extends Omit<Booked, 'isNewlyRecorded'> {
  /** Nothing was booked yet, because money that no request covers needs a transaction first. */
  readonly isUnrecorded: boolean
}

/**
 * Takes the locks in the order of decisions: mandates, transactions, the authorization. It reads the
 * facts under all of them, so that no process can overwrite the sums with older facts.
 */
export async function tryToBook(
  { gateway, clock }: Pick<BookParts, 'gateway' | 'clock'>,
  { tx, organizationId, id, onChanged }: AuthorizationPlace,
  after: AfterBooking = () => {},
): Promise<Step | 'absent' | 'again'> {
  const seen = await findAuthorization(tx, organizationId, id)
  if (!seen) return 'absent'
  const ids = transactionsOf(seen, await listFacts(tx, organizationId, seen))
  const [, , authorization, facts, now] = await Promise.all([
    lockLinesOf(tx, organizationId, ids),
    lockTransactions(tx, organizationId, ids),
    lockAuthorization(tx, organizationId, id),
    listFacts(tx, organizationId, seen),
    clock(tx),
  ])
  if (!authorization) return 'absent'
  const isSame = new Set([...ids, ...transactionsOf(authorization, facts)]).size === ids.length
  if (!isSame) return 'again'
  const balances = balancesOf(inCurrency(facts, authorization.currency))
  const { recordedId, agentId, merchantFlags, askedAt, createdAt, merchant } = authorization
  if (balances.ungoverned > 0n && recordedId === null && agentId !== null) {
    return { authorization, balances, isUnrecorded: true }
  }
  const targets = targetsOf(balances, recordedId, merchantFlags)
  if (targets.size > 0)
    await gateway.adjust({ tx, organizationId, ...(onChanged && { onChanged }) }, targets)
  if (balances.foreign.length > 0) {
    tx.send(noteForeign(organizationId, [...targets.keys()], balances.foreign))
  }
  const since = askedAt ?? createdAt
  const lookAt = holdEndOf(balances.held, facts, { since, mcc: merchant?.mcc ?? null }) ?? null
  const flags = flagsOf([...targets.values()], merchantFlags)
  tx.send(storeBooked(organizationId, id, { ...balances, flags, lookAt }))
  after(tx, { organizationId, authorization, balances }, now)
  if (isUnbudgeted(authorization)) {
    // The flag is part of the booking. If a process dies before the commit, the booking runs again, so
    // the flag is never lost.
    const flagged = flagUnbudgeted({ authorization, facts, amount: balances.ungoverned }, now)
    await flagEvent(tx, { organizationId, id: authorization.connectionId }, flagged)
  }
  return { authorization, balances, isUnrecorded: false }
}

/**
 * Whether recorded money is in a currency other than that of the agent's mandate, and so in no budget.
 * The authorization keeps its flags, so the mandate at the time of recording counts.
 */
function isUnbudgeted({ merchantFlags }: CardAuthorization): boolean {
  return merchantFlags.includes('other_currency')
}

/** The ids of all transactions that carry or carried a part of the authorization. */
export function transactionsOf(
  { recordedId }: CardAuthorization,
  facts: readonly Fact[],
): readonly string[] {
  const asked = facts.filter((fact) => fact.kind === 'request')
  const approved = asked.filter(({ isApproved }) => isApproved)
  const ids = approved.map(({ transactionId }) => transactionId)
  return recordedId === null ? ids : [...ids, recordedId]
}

function flagsOf(
  targets: readonly { readonly flags: readonly TransactionFlag[] }[],
  merchantFlags: readonly TransactionFlag[],
): readonly TransactionFlag[] {
  return [...new Set([...merchantFlags, ...targets.flatMap(({ flags }) => flags)])]
}

import { Problem } from '../../base/errors.ts'
import { logEvent } from '../../base/log/log-event.ts'
import { type Loop, startLoop } from '../../base/loop.ts'
import type { Instant } from '../../core/time/instant.ts'
import { transactionFor } from '../../storage/engine/queryable.ts'
import { isLockTimeout } from '../../storage/engine/storage-error.ts'
import { afterBooking, type EventParts } from './events.ts'
import { balancesOf } from './ledger/balances.ts'
import { bookAuthorization } from './ledger/book.ts'
import { holdEndOf, lapsedAt } from './ledger/hold-end.ts'
import { inCurrency } from './ledger/other-currency.ts'
import { CARD_LOG_EVENTS } from './log-events.ts'
import type { FindConnection } from './registry/find-connection.ts'
import { findAuthorization, lockAuthorization } from './storage/authorizations.ts'
import { findHeardAt } from './storage/connections.ts'
import {
  claimAuthorizations,
  type DueAuthorization,
  listDueAuthorizations,
  postpone,
} from './storage/due-authorizations.ts'
import { listFacts, storeFacts } from './storage/facts.ts'

const EVERY_MS = 1_000
const AT_ONCE = 50
/** Lease on claimed authorizations: if a process dies while it works on them, they wait this long. */
const CLAIMED_FOR_MS = 30_000
/** The delay before the worker checks an overdue hold again while its issuer is silent. */
const SILENT_MS = 3_600_000

export interface WorkerParts extends EventParts {
  readonly find: FindConnection
}

/**
 * Finishes open bookings and gives up overdue holds. Open bookings are facts that a process stored
 * before it died, and authorizations that a decision changed after the issuer's event arrived (ADR 37).
 */
export function startWorker(parts: WorkerParts): Loop {
  return startLoop({
    async run(isStopping) {
      const leftOut = new Set<string>()
      while (!isStopping()) {
        const now = await parts.clock(parts.db)
        const due = await listDueAuthorizations(parts.db, now, AT_ONCE, [...leftOut])
        for (const organizationId of new Set(due.map((one) => one.organizationId))) {
          if (!(await workFor(parts, organizationId, due, now))) leftOut.add(organizationId)
        }
        if (due.length < AT_ONCE) return
      }
    },
    everyMs: EVERY_MS,
    // The next round tries again. Until then budgets hold at least as much as they should.
    failed: (err) => logEvent(parts.log, CARD_LOG_EVENTS['card.scan_failed'], { err }),
  })
}

/**
 * Returns false if this organization's authorizations failed: the next rounds of this run skip it, so
 * that the other organizations do not wait.
 */
async function workFor(
  parts: WorkerParts,
  organizationId: string,
  due: readonly DueAuthorization[],
  now: Instant,
): Promise<boolean> {
  const own = due.filter((one) => one.organizationId === organizationId)
  const ids = own.map(({ id }) => id)
  try {
    const until = now + CLAIMED_FOR_MS
    for (const id of await claimAuthorizations(parts.db, organizationId, ids, { now, until })) {
      await lookAlone(parts, organizationId, id)
    }
    return true
  } catch (err) {
    logEvent(parts.log, CARD_LOG_EVENTS['card.claim_failed'], { err, organizationId })
    return false
  }
}

/**
 * Logs the failure of one authorization, so that it never blocks the others of its organization.
 * Rethrows when the store is unavailable or locked: then none of them can be booked.
 */
async function lookAlone(parts: WorkerParts, organizationId: string, id: string): Promise<void> {
  try {
    await look(parts, organizationId, id)
  } catch (err) {
    if (err instanceof Problem || isLockTimeout(err)) throw err
    logEvent(parts.log, CARD_LOG_EVENTS['card.booking_failed'], { err, organizationId, id })
  }
}

async function look(parts: WorkerParts, organizationId: string, id: string): Promise<void> {
  const authorization = await findAuthorization(parts.db, organizationId, id)
  if (!authorization) return
  if (await isWaitingInSilence(parts, organizationId, id, authorization.connectionId)) return
  const connection = await parts.find.byId(organizationId, authorization.connectionId)
  const after = connection ? afterBooking(connection) : undefined
  const booked = await bookAuthorization(parts, organizationId, id, after)
  if (connection && booked?.isNewlyRecorded) parts.health.note(connection, { what: 'ungoverned' })
}

/**
 * Stores the fact that an overdue hold has lapsed. Time alone proves nothing: the issuer must have sent
 * something after the hold's end, so that its silence about this hold means something. Otherwise the
 * hold stays.
 */
function isWaitingInSilence(
  { db, clock }: WorkerParts,
  organizationId: string,
  id: string,
  connectionId: string,
): Promise<boolean> {
  return transactionFor(db, organizationId, async (tx) => {
    // Reads `heardAt` after the clock and without a cache: believing in silence an instant too long
    // keeps the hold for one more hour.
    const [authorization, now, heardAt] = await Promise.all([
      lockAuthorization(tx, organizationId, id),
      clock(tx),
      findHeardAt(tx, organizationId, connectionId),
    ])
    if (!authorization?.isBooked) return false
    const { askedAt, createdAt, merchant, currency } = authorization
    const facts = inCurrency(await listFacts(tx, organizationId, authorization), currency)
    const since = askedAt ?? createdAt
    const { held, foreign } = balancesOf(facts)
    const end = holdEndOf(held, facts, { since, mcc: merchant?.mcc ?? null })
    if (end === undefined || end > now) return false
    // A capture in another currency keeps its hold until a person or the issuer gives the converted
    // amount.
    const isSilent = heardAt === null || heardAt <= end || foreign.length > 0
    if (isSilent) tx.send(postpone(organizationId, id, now + SILENT_MS))
    else await storeFacts(tx, organizationId, authorization, [lapsedAt(end)])
    return isSilent
  })
}

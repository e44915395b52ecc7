import { randomUUID } from 'node:crypto'
import { clip } from '../../../base/errors.ts'
import type { Part } from '../../../base/lifecycle.ts'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { startLoop } from '../../../base/loop.ts'
import { maskCardNumber } from '../../../core/card-number.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import { isConnectionFailure } from '../../../storage/engine/storage-error.ts'
import { CARD_LOG_EVENTS } from '../log-events.ts'
import { type HealthRow, type Heard, storeHealth, storeHeard } from '../storage/health.ts'
import { storeUnknownCards, UNKNOWN_CARDS_MAX } from '../storage/unknown-cards.ts'
import {
  latencyPlace,
  NO_SUMS,
  type Observation,
  type SeenUnknownCard,
  type UnknownCard,
} from './health.ts'

const HOUR_MS = 60 * 60 * 1_000
const FLUSHED_EVERY_MS = 1_000
/** Bounds memory by evicting the oldest entry. A connection noted again after that gets a new row. */
const ENTRIES_MAX = 2_000
const EXTERNAL_ID_MAX = 255
const MERCHANT_NAME_MAX = 200

interface ConnectionKey {
  readonly organizationId: string
  readonly id: string
}

export interface NoteHealth extends Part {
  /** Never waits and never throws, so it cannot fail the observed request. */
  note(connection: ConnectionKey, observation: Observation): void
  /** Writes the observations so far. */
  flush(): Promise<void>
}

interface Parts {
  readonly db: Queryable
  readonly now: () => Instant
  readonly log: Log
}

/** The observations of one process about a connection in an hour. */
interface Noted {
  readonly organizationId: string
  readonly row: { -readonly [Key in keyof HealthRow]: HealthRow[Key] }
  readonly latencies: number[]
  readonly heard: { -readonly [Key in keyof Heard]: Heard[Key] }
  unknownCards: Map<string, SeenUnknownCard>
  isDue: boolean
}

/**
 * Collects observations about connections in memory, and writes them once a second, outside of any
 * request. A process that dies loses those of the last second; no money depends on these figures. They
 * are written as totals, in rows that belong to this process, so writing them twice counts them once.
 */
export function createNoteHealth({ db, now, log }: Parts): NoteHealth {
  const noted = new Map<string, Noted>()

  function entryOf(connection: ConnectionKey, hour: Instant): Noted {
    const key = `${connection.id} ${hour}`
    const known = noted.get(key)
    if (known) return known
    if (noted.size >= ENTRIES_MAX) noted.delete(noted.keys().next().value ?? '')
    const fresh = startHour(connection, hour)
    noted.set(key, fresh)
    return fresh
  }

  /** Writes one organization at a time: a failure for one must not lose the data of the others. */
  async function flush(): Promise<void> {
    for (const [organizationId, entries] of dueByOrganization(noted.values())) {
      setDue(entries, false)
      const error = await write(organizationId, entries).catch((reason: unknown) => reason)
      if (error === undefined) continue
      setDue(entries, true)
      failed(error)
      // Writing for the other organizations would fail too.
      if (isConnectionFailure(error)) return
    }
    forgetBefore(hourOf(now()))
  }

  function forgetBefore(hour: Instant): void {
    for (const [key, { row, isDue }] of noted) if (row.hour < hour && !isDue) noted.delete(key)
  }

  async function write(organizationId: string, entries: readonly Noted[]): Promise<void> {
    const rows = entries.map(({ row, latencies }) => ({ ...row, latencies: [...latencies] }))
    await storeHealth(db, organizationId, rows)
    await storeHeard(db, organizationId, heardBy(entries))
    for (const entry of entries) {
      const seen = [...entry.unknownCards.values()]
      entry.unknownCards = new Map()
      if (seen.length === 0) continue
      await storeUnknownCards(db, organizationId, entry.row.connectionId, seen)
    }
  }

  function failed(err: unknown): void {
    logEvent(log, CARD_LOG_EVENTS['card.health_not_stored'], { err })
  }
  const loop = startLoop({ run: flush, everyMs: FLUSHED_EVERY_MS, catchesUp: true, failed })

  return {
    note(connection, observation) {
      const at = now()
      const entry = entryOf(connection, hourOf(at))
      entry.isDue = true
      add(entry, observation, at)
    },
    async flush() {
      // The running round may have begun before the last note, so a second round follows.
      await loop.round()
      await loop.round()
    },
    async stop() {
      await loop.stop()
      await flush()
    },
  }
}

function setDue(entries: readonly Noted[], isDue: boolean): void {
  for (const entry of entries) entry.isDue = isDue
}

function hourOf(at: Instant): Instant {
  return at - (at % HOUR_MS)
}

function startHour({ organizationId, id }: ConnectionKey, hour: Instant): Noted {
  return {
    organizationId,
    row: { ...NO_SUMS, connectionId: id, hour, writer: randomUUID() },
    latencies: [...NO_SUMS.latencies],
    heard: { connectionId: id, lastRequestAt: null, lastEventAt: null, unheardSince: null },
    unknownCards: new Map(),
    isDue: false,
  }
}

function add({ row, latencies, heard, unknownCards }: Noted, seen: Observation, at: Instant): void {
  switch (seen.what) {
    case 'request': {
      const place = latencyPlace(seen.tookMs)
      latencies[place] = (latencies[place] ?? 0) + 1
      if (seen.isLate) row.timeouts += 1
      heard.lastRequestAt = at
      if (seen.isApproved) heard.unheardSince ??= at
      return
    }
    case 'event':
      heard.lastEventAt = at
      heard.unheardSince = null
      return
    case 'unheard':
      row.timeouts += 1
      return
    case 'signature_failure':
      row.signatureFailures += 1
      return
    case 'ungoverned':
      row.ungoverned += 1
      return
    case 'unknown_card':
      row.unknownCards += 1
      addUnknown(unknownCards, seen.card, at)
  }
}

/** Keeps a bounded number of cards: those seen last. */
function addUnknown(cards: Map<string, SeenUnknownCard>, card: UnknownCard, at: Instant): void {
  const externalId = shown(card.externalId, EXTERNAL_ID_MAX)
  const merchantName =
    card.merchantName === null ? null : shown(card.merchantName, MERCHANT_NAME_MAX)
  const count = (cards.get(externalId)?.count ?? 0) + 1
  cards.delete(externalId)
  if (cards.size >= UNKNOWN_CARDS_MAX) cards.delete(cards.keys().next().value ?? '')
  cards.set(externalId, { ...card, externalId, merchantName, count, lastAt: at })
}

/**
 * Cleans text from outside: it can have any length, and characters that the database cannot store. An
 * issuer may name cards by their numbers, which are never stored (ADR 36).
 */
function shown(text: string, lengthMax: number): string {
  return clip(maskCardNumber(text.replace(/\p{Cc}/gu, ' ')), lengthMax)
}

function dueByOrganization(entries: Iterable<Noted>): Map<string, Noted[]> {
  const due = new Map<string, Noted[]>()
  for (const entry of entries) {
    if (!entry.isDue) continue
    const own = due.get(entry.organizationId)
    if (own) own.push(entry)
    else due.set(entry.organizationId, [entry])
  }
  return due
}

/** Merges the entries of a connection that has one in each of two hours, the earlier one first. */
function heardBy(entries: readonly Noted[]): Heard[] {
  const all = new Map<string, Heard>()
  for (const { heard } of entries) {
    const before = all.get(heard.connectionId)
    all.set(heard.connectionId, before ? joined(before, heard) : heard)
  }
  return [...all.values()]
}

function joined(before: Heard, after: Heard): Heard {
  const unheardBefore = after.lastEventAt === null ? before.unheardSince : null
  return {
    connectionId: after.connectionId,
    lastRequestAt: after.lastRequestAt ?? before.lastRequestAt,
    lastEventAt: after.lastEventAt ?? before.lastEventAt,
    unheardSince: unheardBefore ?? after.unheardSince,
  }
}

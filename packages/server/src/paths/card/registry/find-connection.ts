import type { Instant } from '../../../core/time/instant.ts'
import { createTurns, tooManyUnknown } from '../../../http/turns.ts'
import type { Database } from '../../../storage/engine/database.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import { findSealedConnection, type SealedConnection } from '../storage/connections.ts'
import { findIngestToken } from '../storage/ingest-tokens.ts'
import { secretPurpose } from '../storage/sealed-values.ts'
import type { OpenedConnection, SecretKind } from './connection.ts'
import { readToken } from './ingest.ts'

/** A connection that was disabled or whose token has changed is known as such within a second. */
const FRESH_MS = 900
const KEPT_MAX = 10_000
/** Absent ones are kept apart, so that made-up tokens cannot push out real ones. */
const ABSENT_MAX = 1_000
/** Bounds what made-up tokens can make the database do. */
const UNKNOWN = { atOnce: 4, waitingMax: 1_000 }

/** Finds the connection that an issuer, or a caller of our own API, speaks for. */
export interface FindConnection {
  /** By what stands in the address; undefined for what leads nowhere. */
  byToken(token: string): Promise<OpenedConnection | undefined>
  byId(organizationId: string, id: string): Promise<OpenedConnection | undefined>
}

interface Parts {
  readonly db: Database
  readonly sealer: Sealer
  readonly now: () => Instant
}

interface Found {
  readonly connection: OpenedConnection | undefined
  readonly readAt: Instant
  /** When what it was found by ceases to lead there. */
  readonly endsAt: Instant | null
}

type Read = () => Promise<Pick<Found, 'connection' | 'endsAt'>>

/** Asks the database once in a while for each connection that is in use, and not for each request. */
export function createFindConnection({ db, sealer, now }: Parts): FindConnection {
  // Anybody can make up tokens; ids come from those who have a key, and must not wait for the others.
  const [tokens, ids] = [createMemory(now), createMemory(now)]

  async function open(organizationId: string, id: string): Promise<OpenedConnection | undefined> {
    const stored = await findSealedConnection(db, organizationId, id)
    return stored && openConnection(stored, organizationId, sealer, now())
  }

  return {
    async byToken(token) {
      const hash = readToken(token)
      if (!hash) return undefined
      return tokens(hash.toString('base64'), async () => {
        const led = await findIngestToken(db, hash)
        if (!led) return { connection: undefined, endsAt: null }
        const connection = await open(led.organizationId, led.connectionId)
        return { connection, endsAt: led.endsAt }
      })
    },
    byId: (organizationId, id) =>
      ids(`${organizationId} ${id}`, async () => ({
        connection: await open(organizationId, id),
        endsAt: null,
      })),
  }
}

type Memory = (name: string, from: Read) => Promise<OpenedConnection | undefined>

function createMemory(now: () => Instant): Memory {
  const kept = new Map<string, Found>()
  const absent = new Map<string, Found>()
  const reading = new Map<string, Promise<OpenedConnection | undefined>>()
  const turns = createTurns({ ...UNKNOWN, tooMany: () => tooManyUnknown('keys') })

  async function read(name: string, from: Read): Promise<OpenedConnection | undefined> {
    const { connection, endsAt } = await from()
    const found = { connection, endsAt, readAt: now() }
    kept.delete(name)
    if (connection) keep(kept, KEPT_MAX, name, found)
    else keep(absent, ABSENT_MAX, name, found)
    return isOver(found, now()) ? undefined : connection
  }

  /** Those who ask meanwhile wait for the same answer. */
  function readOnce(name: string, from: Read): Promise<OpenedConnection | undefined> {
    const underWay = reading.get(name)
    if (underWay !== undefined) return underWay
    // One that was good until just now never waits behind those that are made up.
    const found = kept.has(name) ? read(name, from) : turns.run(() => read(name, from))
    reading.set(name, found)
    const forget = (): void => void reading.delete(name)
    found.then(forget, forget)
    return found
  }

  return async (name, from) => {
    const found = kept.get(name) ?? absent.get(name)
    if (found && now() - found.readAt < FRESH_MS) {
      return isOver(found, now()) ? undefined : found.connection
    }
    absent.delete(name)
    return readOnce(name, from)
  }
}

function keep(map: Map<string, Found>, most: number, name: string, found: Found): void {
  if (map.size >= most) map.delete(map.keys().next().value ?? '')
  map.set(name, found)
}

function isOver({ endsAt }: Found, now: Instant): boolean {
  return endsAt !== null && endsAt <= now
}

function openConnection(
  { sealed, ...connection }: SealedConnection,
  organizationId: string,
  sealer: Sealer,
  now: Instant,
): OpenedConnection {
  const secretsOf = (kind: SecretKind, previousUntil: Instant | null): string[] => {
    const { current, previous } = sealed[kind]
    const isPreviousGood = previousUntil !== null && previousUntil > now
    return [current, isPreviousGood ? previous : null].flatMap((value) =>
      value === null
        ? []
        : [sealer.open(organizationId, secretPurpose(connection.id, kind), value)],
    )
  }
  const { authorizationSecret, eventsSecret } = connection
  return {
    ...connection,
    organizationId,
    secrets: {
      authorization: secretsOf('authorization', authorizationSecret.previousUntil),
      events: secretsOf('events', eventsSecret.previousUntil),
    },
  }
}

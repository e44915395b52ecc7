import type { Instant } from '../../../core/time/instant.ts'
import { createFreshMemory } from '../../../http/auth/fresh-memory.ts'
import { tooManyUnknown } from '../../../http/auth/turns.ts'
import type { Database } from '../../../storage/engine/database.ts'
import { findIngestToken, readToken } from '../../../storage/ingest-tokens.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import { findSealedConnection, type SealedConnection } from '../storage/connections.ts'
import { secretPurpose } from '../storage/sealed-values.ts'
import type { OpenedConnection, SecretKind } from './connection.ts'

type Found = OpenedConnection | undefined

/**
 * Finds the connection of an issuer, or of a caller of our own API. It reads each connection in use
 * from the database once in a while, not for each request: a disabled connection or a changed token
 * takes effect within a second.
 */
export interface FindConnection {
  /** Finds the connection by the token in the URL; undefined for an unknown token. */
  byToken(token: string): Found | Promise<Found>
  byId(organizationId: string, id: string): Found | Promise<Found>
}

interface Parts {
  readonly db: Database
  readonly sealer: Sealer
  readonly now: () => Instant
}

/** The connection of a token. */
interface Led {
  readonly connection: OpenedConnection
  /** When the token expires. */
  readonly endsAt: Instant | null
}

export function createFindConnection({ db, sealer, now }: Parts): FindConnection {
  const tooMany = () => tooManyUnknown('keys')
  // Anyone can make up tokens, but ids come from callers with an API key. Two caches keep the latter
  // from waiting for the former.
  const tokens = createFreshMemory<Led>({ read: readLed, tooMany, now })
  const ids = createFreshMemory<OpenedConnection>({ read: readId, tooMany, now })

  async function open(organizationId: string, id: string): Promise<Found> {
    const stored = await findSealedConnection(db, organizationId, id)
    if (stored?.status === 'removed') return undefined
    return stored && openConnection(stored, organizationId, sealer, now())
  }

  async function readLed(hash: string): Promise<Led | undefined> {
    const led = await findIngestToken(db, Buffer.from(hash, 'base64'))
    const connection = led && (await open(led.organizationId, led.connectionId))
    return connection && { connection, endsAt: led.endsAt }
  }

  function readId(name: string): Promise<Found> {
    const [organizationId = '', id = ''] = name.split(' ')
    return open(organizationId, id)
  }

  const unlessOver = (led: Led | undefined): Found =>
    led && (led.endsAt === null || led.endsAt > now()) ? led.connection : undefined

  return {
    byToken(token) {
      const hash = readToken(token)
      if (!hash) return undefined
      const led = tokens.find(hash.toString('base64'))
      return led instanceof Promise ? led.then(unlessOver) : unlessOver(led)
    },
    byId: (organizationId, id) => ids.find(`${organizationId} ${id}`),
  }
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

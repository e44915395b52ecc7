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
 * Finds the connection that an issuer, or a caller of our own API, speaks for. It asks the database
 * once in a while for each connection that is in use, and not for each request: one that was disabled,
 * or whose token has changed, is known as such within a second.
 */
export interface FindConnection {
  /** By what stands in the address; undefined for what leads nowhere. */
  byToken(token: string): Found | Promise<Found>
  byId(organizationId: string, id: string): Found | Promise<Found>
}

interface Parts {
  readonly db: Database
  readonly sealer: Sealer
  readonly now: () => Instant
}

/** Where a token leads. */
interface Led {
  readonly connection: OpenedConnection
  /** When it ceases to lead there. */
  readonly endsAt: Instant | null
}

export function createFindConnection({ db, sealer, now }: Parts): FindConnection {
  const tooMany = () => tooManyUnknown('keys')
  // Anybody can make up tokens; ids come from those who have a key, and must not wait for the others.
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

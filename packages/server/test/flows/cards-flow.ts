import { expect, test } from 'vitest'
import { CARDS_MAX, type Card, stopOf } from '../../src/paths/card/registry/card.ts'
import { type CardConnection, SECRET_KINDS } from '../../src/paths/card/registry/connection.ts'
import { createFindConnection } from '../../src/paths/card/registry/find-connection.ts'
import { newToken, OVERLAP_MS } from '../../src/paths/card/registry/ingest.ts'
import {
  hasRoomForCard,
  insertCard,
  listCards,
  lockCard,
  mirrorCardStatus,
  pauseCard,
  readCard,
  updateCard,
} from '../../src/paths/card/storage/cards.ts'
import {
  countConnections,
  insertConnection,
  listConnections,
  lockConnection,
  replaceSecret,
  updateConnection,
} from '../../src/paths/card/storage/connections.ts'
import {
  removeEndedTokens,
  replaceIngestToken,
} from '../../src/paths/card/storage/ingest-tokens.ts'
import { secretPurpose } from '../../src/paths/card/storage/sealed-values.ts'
import type { Statement } from '../../src/storage/engine/database.ts'
import { newId } from '../../src/storage/new-id.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { anAgent } from '../support/builders.ts'
import type { Flow } from './stage.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
const PAGE = { limit: 10, offset: 0, after: undefined }
const UNSET = { hint: null, previousUntil: null }

function aConnection(now: number): CardConnection {
  return {
    id: newId(now),
    provider: 'stripe',
    name: 'Issuer',
    livemode: false,
    status: 'active',
    failMode: 'closed',
    failOpenMaxAmount: null,
    deadlineMs: 1_200,
    partialApprovals: false,
    pauseOnOverCapture: false,
    authorizationSecret: UNSET,
    eventsSecret: UNSET,
    lastRequestAt: null,
    lastEventAt: null,
    unheardSince: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Two secrets of each kind, one after the other. */
function secretsOf(organizationId: string, id: string, now: number): Statement[] {
  return SECRET_KINDS.flatMap((kind) =>
    ['before', 'now'].map((value) => {
      const sealed = sealer.seal(organizationId, secretPurpose(id, kind), `${kind} ${value}`)
      const secret = { kind, sealed, hint: value, previousUntil: now + OVERLAP_MS }
      return replaceSecret(organizationId, id, secret)
    }),
  )
}

/** The registry of cards: connections to issuers, and which card belongs to which agent. */
export const cardsFlow: Flow = (stage) => {
  test('a connection is made, found by its tokens, and changed', async () => {
    const { app, db } = stage()
    const { organizationId } = await app.organization()
    const now = app.time.estimate()
    const connection = aConnection(now)
    const { id } = connection
    const [first, second] = [newToken(), newToken()]
    await db.transaction(async (tx) => {
      expect(await countConnections(tx, organizationId)).toBe(0)
      await insertConnection(tx, organizationId, connection)
      for (const { hash } of [first, second]) {
        for (const statement of replaceIngestToken(organizationId, id, hash, now + OVERLAP_MS)) {
          await tx.query(statement)
        }
      }
      expect(await lockConnection(tx, organizationId, id)).toEqual(connection)
      for (const secret of secretsOf(organizationId, id, now)) tx.send(secret)
      await updateConnection(tx, organizationId, { ...connection, name: 'Renamed' })
    })
    const listed = await listConnections(
      db,
      organizationId,
      { provider: 'stripe', status: 'active' },
      PAGE,
    )
    expect(listed.rows).toMatchObject([{ id, name: 'Renamed', eventsSecret: { hint: 'now' } }])
    const find = createFindConnection({ db, sealer, now: app.time.estimate })
    for (const { token } of [first, second]) {
      expect(await find.byToken(token)).toMatchObject({
        organizationId,
        id,
        secrets: {
          authorization: ['authorization now', 'authorization before'],
          events: ['events now', 'events before'],
        },
      })
    }
    expect(await removeEndedTokens(db, now + 2 * OVERLAP_MS)).toBe(1)
  })

  test('a card is registered, read with what can stop it, paused and closed', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { organizationId } = acme
    const { id: agentId } = await anAgent(acme)
    const now = app.time.estimate()
    const connection = aConnection(now)
    const card: Card = {
      id: newId(now),
      connectionId: connection.id,
      externalId: 'ic_1',
      agentId,
      last4: '4242',
      currency: 'USD',
      label: null,
      status: 'active',
      statusReason: null,
      providerStatus: null,
      metadata: {},
      createdAt: now,
      updatedAt: now,
    }
    await db.transaction(async (tx) => {
      await insertConnection(tx, organizationId, connection)
      expect(await hasRoomForCard(tx, organizationId)).toBe(CARDS_MAX > 0)
      expect(await insertCard(tx, organizationId, card)).toBe(true)
      expect(await insertCard(tx, organizationId, { ...card, id: newId(now) })).toBe(false)
      await updateCard(tx, organizationId, { ...card, label: 'Ads' })
      expect(await lockCard(tx, organizationId, card.id)).toEqual({ ...card, label: 'Ads' })
    })
    const read = () => readCard(db, organizationId, connection.id, 'ic_1')
    const states = []
    for (const [status, at] of [
      ['paused', now],
      ['active', now],
      ['active', now + 1],
      ['closed', now],
    ] as const) {
      await db.query(mirrorCardStatus(organizationId, card, status, at))
      const found = await read()
      states.push(found && stopOf(found))
    }
    expect(states).toEqual(['card_paused', 'card_paused', null, null])
    await db.query(pauseCard(organizationId, card.id, 'over_capture', now))
    expect(await read()).toMatchObject({
      status: 'paused',
      statusReason: 'over_capture',
      agentStatus: 'active',
      isFrozen: false,
    })
    const all = { externalId: 'ic_1', status: 'paused', agentIds: [agentId] } as const
    const filter = { ...all, connectionId: connection.id, agentId }
    expect((await listCards(db, organizationId, filter, PAGE)).rows).toHaveLength(1)
  })
}

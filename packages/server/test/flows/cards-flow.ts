import { expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { stopOf } from '../../src/paths/card/registry/card.ts'
import { createFindConnection } from '../../src/paths/card/registry/find-connection.ts'
import { createNoteHealth } from '../../src/paths/card/registry/note-health.ts'
import { mirrorCardStatus, pauseCard, readCard } from '../../src/paths/card/storage/cards.ts'
import { removeOldHealth } from '../../src/paths/card/storage/health.ts'
import { removeEndedTokens } from '../../src/storage/ingest-tokens.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { anAgent, bodyOf, DAY_MS } from '../support/builders.ts'
import { aCard, aConnection, SECRETS, tokenOf } from '../support/cards.ts'
import { silentLog } from '../support/silent-log.ts'
import type { Flow } from './stage.ts'

const sealer = createSealer(Buffer.alloc(32, 7))

/** The registry of cards: connections to issuers, and which card belongs to which agent. */
export const cardsFlow: Flow = (stage) => {
  test('a connection is made, found by its tokens, and changed', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const made = await aConnection(acme, { secrets: SECRETS })
    const change = { secrets: { authorization: 'whsec_another_one' }, rotateToken: true }
    const changed = bodyOf(await acme.patch(`/card-connections/${made.id}`, change))
    const find = createFindConnection({ db, sealer, now: app.time.estimate })
    for (const { ingest } of [made, changed]) {
      expect(await find.byToken(tokenOf(ingest))).toMatchObject({
        organizationId: acme.organizationId,
        secrets: {
          authorization: ['whsec_another_one', SECRETS.authorization],
          events: [SECRETS.events],
        },
      })
    }
    expect(await removeEndedTokens(db, app.time.estimate() + 2 * DAY_MS)).toBe(1)
    for (const status of ['disabled', 'active', 'disabled', 'removed']) {
      bodyOf(await acme.patch(`/card-connections/${made.id}`, { status }))
    }
  })

  test('a connection shows how it fares, and which cards nobody knows', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { id } = await aConnection(acme)
    const health = createNoteHealth({ db, now: app.time.estimate, log: silentLog })
    const connection = { organizationId: acme.organizationId, id: toUuid('conn', id) ?? '' }
    const card = { externalId: 'ic_new', last4: null, merchantName: null, amount: null }
    health.note(connection, { what: 'unknown_card', card: { ...card, currency: null } })
    health.note(connection, { what: 'request', tookMs: 7, isApproved: true, isLate: false })
    await health.stop()
    const list = async () => bodyOf(await acme.get('/card-connections?provider=stripe')).data
    expect(await list()).toMatchObject([
      { health: { p95Ms: 8, unknownCards24h: 1, unknownCards: [{ externalId: 'ic_new' }] } },
    ])
    await aCard(acme, { connectionId: id, externalId: 'ic_new' })
    await removeOldHealth(db, app.time.estimate() + 30 * DAY_MS)
    expect(await list()).toMatchObject([{ health: { p95Ms: null, unknownCards: [] } }])
  })

  test('a card is read with what can stop it, paused, changed, and closed with its agent', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { organizationId } = acme
    const externalId = 'ic_1'
    const { id, agentId, connectionId } = await aCard(acme, { externalId })
    const place = { connectionId: toUuid('conn', connectionId) ?? '', externalId }
    const read = () => readCard(db, organizationId, place.connectionId, externalId)
    const at = app.time.estimate()
    const stops = []
    for (const [status, said] of [
      ['paused', at],
      ['active', at],
      ['active', at + 1],
      ['closed', at],
    ] as const) {
      await db.query(
        mirrorCardStatus(organizationId, { id: toUuid('card', id) ?? '' }, status, said),
      )
      const card = await read()
      stops.push(card && stopOf(card))
    }
    expect(stops).toEqual(['card_paused', 'card_paused', null, null])
    await db.query(pauseCard(organizationId, toUuid('card', id) ?? '', 'over_capture', at))
    const states = { agentStatus: 'active', isFrozen: false }
    const paused = { status: 'paused', statusReason: 'over_capture', ...states }
    expect(await read()).toMatchObject(paused)
    const { id: other } = await anAgent(acme)
    bodyOf(await acme.patch(`/cards/${id}`, { agentId: other }))
    bodyOf(await acme.patch(`/cards/${id}`, { agentId, status: 'active', label: 'Ads' }))
    bodyOf(await acme.delete(`/agents/${agentId}`))
    expect(bodyOf(await acme.get('/cards')).data).toMatchObject([
      { id, label: 'Ads', status: 'closed', statusReason: 'agent_deleted' },
    ])
    expect(await read()).toMatchObject({ agentStatus: 'deleted' })
  })
}

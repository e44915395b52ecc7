import { describe, expect, test } from 'vitest'
import { CONNECTIONS_MAX } from '../../../../src/paths/card/registry/connection.ts'
import { createTestApp, type Owner } from '../../../support/app.ts'
import { bodyOf, DAY_MS } from '../../../support/builders.ts'
import { aCard, aConnection, SECRETS, tokenOf } from '../../../support/cards.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { openCardDesk } from '../desk.ts'
import { knock } from '../door.ts'

const setStatus = (owner: Owner, id: string, status: string) =>
  owner.patch(`/card-connections/${id}`, { status })
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

describe('a connection that is disabled', () => {
  test('is removed with its secrets, its addresses and its cards', async () => {
    const app = await createTestApp()
    const acme = await app.organization()
    try {
      const { id, ingest } = await aConnection(acme, { secrets: SECRETS })
      const card = await aCard(acme, { connectionId: id })
      expect(codeOf(await setStatus(acme, id, 'removed'))).toEqual([409, 'card_connection_in_use'])
      bodyOf(await setStatus(acme, id, 'disabled'))
      expect(bodyOf(await setStatus(acme, id, 'removed'))).toMatchObject({
        status: 'removed',
        secrets: { authorization: null, events: null },
      })
      expect(bodyOf(await acme.get('/card-connections')).data).toEqual([])
      const { data } = bodyOf(await acme.get('/card-connections?status=removed'))
      expect(data).toMatchObject([{ id, status: 'removed' }])
      expect(bodyOf(await acme.get('/cards')).data).toMatchObject([
        { id: card.id, status: 'closed', statusReason: 'connection_removed' },
      ])
      await waitUntil(async () => {
        const to = { app, provider: 'stripe', token: tokenOf(ingest), door: 'events' } as const
        return (await knock({ ...to, body: '{}' })).status === 404
      })
      expect(codeOf(await setStatus(acme, id, 'active'))).toEqual([409, 'card_connection_removed'])
      const { agentId } = card
      const again = { connectionId: id, agentId, externalId: 'ic_new' }
      expect(codeOf(await acme.post('/cards', again))).toEqual([404, 'card_connection_not_found'])
    } finally {
      await app.stop()
    }
  })

  test('stays while holds are open, and the answer says how many', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    await desk.ask()
    const { body } = await desk.ask()
    await desk.tell('reverse', { authorizationId: 'authorization-1' })
    // A desk has a deadline that no connection can be given.
    await desk.app.rows('update card_connections set deadline_ms = 5000')
    bodyOf(await setStatus(desk.acme, desk.connectionId, 'disabled'))
    const refused = await setStatus(desk.acme, desk.connectionId, 'removed')
    expect(codeOf(refused)).toEqual([409, 'card_connection_in_use'])
    expect(refused.body).toMatchObject({ openHolds: 2 })
    await desk.tell('capture', {
      authorizationId: 'authorization-2',
      amount: 30,
      currency: 'USD',
      final: true,
    })
    desk.app.clock.now = Date.now() + 2 * DAY_MS
    const reason = 'The issuer is gone.'
    bodyOf(await desk.acme.post(`/transactions/${body.transactionId}/void`, { reason }))
    bodyOf(await setStatus(desk.acme, desk.connectionId, 'removed'))
    await waitUntil(async () => (await desk.ask()).body.code === 'card_connection_not_found')
  })

  test('does not count as one that an organization has, until it is enabled again', async () => {
    const app = await createTestApp()
    const acme = await app.organization()
    try {
      const { id } = await aConnection(acme)
      bodyOf(await setStatus(acme, id, 'disabled'))
      await app.rows(
        `insert into card_connections (organization_id, id, provider, name, livemode, status, fail_mode,
           deadline_ms, partial_approvals, pause_on_over_capture, created_at, updated_at)
         select $1, gen_random_uuid(), 'generic', 'Issuer', false, 'active', 'closed', 1500, false, false,
           now(), now()
         from generate_series(1, $2)`,
        [acme.organizationId, CONNECTIONS_MAX - 1],
      )
      const { id: last } = await aConnection(acme)
      const limit = [409, 'card_connection_limit_reached']
      expect(codeOf(await setStatus(acme, id, 'active'))).toEqual(limit)
      bodyOf(await setStatus(acme, last, 'disabled'))
      const answers = await Promise.all([
        setStatus(acme, id, 'active'),
        setStatus(acme, last, 'active'),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    } finally {
      await app.stop()
    }
  })
})

import { expect, test } from 'vitest'
import { withRows } from '../gateway/past-proof.ts'
import { backtest } from '../support/backtests.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
  DAY_MS,
  statusOf,
} from '../support/builders.ts'
import { aMember } from '../support/people.ts'
import { change, evaluate, simulate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

/** A mandate from its draft to the archive. */
export const mandatesFlow: Flow = (stage) => {
  test('agents and mandates are searched, and sorted by the used part of their budgets', async () => {
    const { app } = stage()
    const acme = await app.organization()
    for (const amount of [10, 30, 20]) {
      const { id: agentId } = await anAgent(acme, { name: `Agent ${amount}`, tags: ['red'] })
      await anActiveMandate(acme, { agentId, budgetPeriod: 'monthly' })
      await evaluate(acme, agentId, { amount })
    }
    for (const list of ['/agents', '/mandates']) {
      const url = `${list}?q=AGENT&sort=percentUsed&limit=2`
      const { data, nextCursor } = bodyOf(await acme.get(url))
      const { data: rest } = bodyOf(await acme.get(`${url}&cursor=${nextCursor}`))
      const names = [...data, ...rest].map(({ name }) => name)
      expect(names).toEqual(['Agent 30', 'Agent 20', 'Agent 10'])
    }
    expect(bodyOf(await acme.get('/agents?tag=red,blue')).total).toBe(3)
  })

  test('a draft is changed, activated, changed again, and keeps its versions', async () => {
    const acme = await stage().app.organization()
    const { id, agentId } = await aDraft(acme)
    bodyOf(await acme.patch(`/mandates/${id}`, { budgetTotal: 50 }))
    expect((await simulate(acme, agentId, { mandateId: id })).remainingBudget).toBe(40)
    const early = await evaluate(acme, agentId)
    expect(early.evaluationDetails).toMatchObject({ draftMandateId: id })
    bodyOf(await acme.post(`/mandates/${id}/activate`))
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ type: 'amount', max: 5 }] }))
    const second = await aDraft(acme, { agentId })
    const refused = await acme.post(`/mandates/${second.id}/activate`)
    expect(refused.body).toMatchObject({ activeMandateId: id })
    bodyOf(await acme.delete(`/mandates/${second.id}`))
    const { data: versions } = bodyOf(await acme.get(`/mandates/${id}/versions`))
    expect(versions).toHaveLength(2)
    expect(bodyOf(await acme.get(`/mandates?agentId=${agentId}`)).data).toMatchObject([{ id }])
    expect(bodyOf(await acme.get(`/agents/${agentId}?include=mandate`))).toMatchObject({
      id: agentId,
    })
    expect(bodyOf(await acme.get('/agents')).data).toMatchObject([{ id: agentId }])
  })

  test('a change from an outdated state is refused with the changes since then', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { id, updatedAt } = await aDraft(acme)
    bodyOf(await acme.patch(`/mandates/${id}`, { budgetTotal: 50 }))
    const [draft, version] = [{ expectedUpdatedAt: updatedAt }, { expectedVersion: 1 }]
    expect((await acme.post(`/mandates/${id}/activate`, draft)).status).toBe(409)
    bodyOf(await acme.post(`/mandates/${id}/activate`))
    const owner = await aMember(app, acme)
    bodyOf(await owner.patch(`/api/v1/mandates/${id}`, { name: 'Theirs' }))
    const { status, body } = await acme.patch(`/mandates/${id}`, { name: 'Mine', ...version })
    expect([status, body.code]).toEqual([409, 'changed_meanwhile'])
  })

  test('a draft of the next version is listed, changed and activated', async () => {
    const acme = await stage().app.organization()
    const { id, agentId } = await anActiveMandate(acme)
    const rules = [{ type: 'amount', max: 5 }]
    const draft = bodyOf(await acme.post('/mandates', { draftOf: id, rules }))
    const listed = bodyOf(await acme.get(`/mandates?draftOf=${id}`))
    expect(listed.data).toMatchObject([{ id: draft.id }])
    bodyOf(await acme.patch(`/mandates/${draft.id}`, { budgetTotal: 50 }))
    const active = bodyOf(await acme.post(`/mandates/${draft.id}/activate`))
    expect(active).toMatchObject({ id, agentId, version: 2, budgetTotal: 50, rules })
  })

  test('a limit that is added counts what was spent before, also by and by', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { id, agentId } = await anActiveMandate(acme)
    for (const amount of [1, 2, 3]) await evaluate(acme, agentId, { amount })
    await withRows({ atOnce: 1, perStep: 1 }, async () => {
      const rules = [{ type: 'limit', maxAmount: 10, window: 'day' }]
      bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
      await waitUntil(async () => (await app.rows('select 1 from past_counts')).length === 0)
    })
    const held = await evaluate(acme, agentId, { amount: 4, hold: { expiresIn: '1h' } })
    await change(acme, held.transactionId, 'void')
    const { evaluationDetails } = await simulate(acme, agentId, { amount: 9 })
    expect(evaluationDetails.next.maxAmountNow).toBe(4)
  })

  test('a rule about vendors that is added knows the vendors of before', async () => {
    const acme = await stage().app.organization()
    const { id, agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId, { vendor: 'a.com' })
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ type: 'new_vendor' }] }))
    expect((await evaluate(acme, agentId, { vendor: 'a.com' })).decision).toBe('approved')
    expect((await evaluate(acme, agentId, { vendor: 'b.com' })).decision).toBe('rejected')
  })

  test('a rule about vendors that is added learns a long past by and by', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { id, agentId } = await anActiveMandate(acme)
    for (const vendor of ['a.com', 'b.com', 'c.com']) await evaluate(acme, agentId, { vendor })
    await withRows({ atOnce: 1, perStep: 1 }, async () => {
      bodyOf(await acme.patch(`/mandates/${id}`, { rules: [{ type: 'new_vendor' }] }))
      await waitUntil(async () => (await app.rows('select 1 from vendor_pasts')).length === 0)
    })
    expect((await evaluate(acme, agentId, { vendor: 'a.com' })).decision).toBe('approved')
    expect((await evaluate(acme, agentId, { vendor: 'd.com' })).decision).toBe('rejected')
  })

  test('what an agent did is replayed through other rules and another version', async () => {
    const acme = await stage().app.organization()
    const { agentId, id } = await anActiveMandate(acme)
    for (const amount of [5, 20]) await evaluate(acme, agentId, { amount })
    const rules = [{ type: 'limit', maxAmount: 10, window: 'day' }]
    expect((await backtest(acme, id, { rules })).newlyRejected).toBe(1)
    expect((await backtest(acme, id, { version: 1 })).newlyRejected).toBe(0)
  })

  test('a draft is deleted, and what is revoked is archived', async () => {
    const acme = await stage().app.organization()
    const { id: draft } = await aDraft(acme)
    bodyOf(await acme.delete(`/mandates/${draft}`))
    expect((await acme.get(`/mandates/${draft}`)).status).toBe(404)
    const { id: revoked } = await aRevokedMandate(acme)
    bodyOf(await acme.delete(`/mandates/${revoked}`))
    expect(bodyOf(await acme.get('/mandates')).data).toEqual([])
  })

  test('a mandate is revoked with those below it', async () => {
    const acme = await stage().app.organization()
    const parent = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { budgetTotal: 10, parentMandateId: parent.id })
    bodyOf(await acme.post(`/mandates/${parent.id}/revoke`))
    expect(await statusOf(acme, child.id)).toBe('revoked')
  })

  test('a mandate is replaced in one step, with those below it', async () => {
    const acme = await stage().app.organization()
    const old = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { budgetTotal: 10, parentMandateId: old.id })
    const next = await aDraft(acme, { agentId: old.agentId, rules: [{ type: 'new_vendor' }] })
    bodyOf(await acme.post(`/mandates/${next.id}/activate`, { replace: true }))
    for (const { id } of [old, child]) expect(await statusOf(acme, id)).toBe('revoked')
  })

  test('a mandate whose time is over makes room for the next', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { id: agentId } = await anAgent(acme)
    const validUntil = new Date(Date.now() + DAY_MS).toISOString()
    const { id: first } = await anActiveMandate(acme, { agentId, validUntil })
    const { id: next } = await aDraft(acme, { agentId })
    app.clock.now = Date.now() + 2 * DAY_MS
    bodyOf(await acme.post(`/mandates/${next}/activate`))
    expect(await statusOf(acme, first)).toBe('expired')
    app.clock.now = undefined
  })
}

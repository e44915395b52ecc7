import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anApprover, approvalIdIn, aSpender, decideOn } from '../../support/approvals.ts'
import { backtest } from '../../support/backtests.ts'
import { aDraft, anActiveMandate, anAgent, bodyOf, NO_MANDATE } from '../../support/builders.ts'
import { aHold, change, evaluate } from '../../support/spends.ts'

const NOON = Date.parse('2031-03-05T12:00Z')

describe('a backtest', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  test('says what would flip each way, why, and the money of it', async () => {
    const { agentId, id } = await anActiveMandate(acme, {
      budgetTotal: 100,
      rules: [{ type: 'vendors', block: ['ads.example.com'] }],
    })
    for (const amount of [5, 20, 30]) await evaluate(acme, agentId, { amount })
    await evaluate(acme, agentId, { amount: 7, vendor: 'ads.example.com' })
    const report = await backtest(acme, id, { rules: [{ type: 'amount', max: 10 }] })
    expect(report).toMatchObject({
      partial: false,
      replayed: 4,
      approvedBefore: 3,
      approvedNow: 2,
      newlyRejected: 2,
      newlyApproved: 1,
      money: [{ currency: 'USD', newlyApproved: 7, newlyRejected: 50 }],
      notReplayed: [],
    })
    expect(report.reasons).toEqual([
      expect.objectContaining({ before: 'approved', after: 'amount_above_max', count: 2 }),
      expect.objectContaining({ before: 'vendor_blocked', after: 'approved', count: 1 }),
    ])
    expect(report.rules[0]).toMatchObject({ id: 'amount', stoodInTheWay: 2, newlyRejected: 2 })
    expect(report.examples.map(({ amount }) => amount)).toEqual([30, 20, 7])
    expect(report.assumptions).toHaveLength(6)
  })

  test('lets a rejection make room in the budget for what came later', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    for (const amount of [80, 30, 15, 40]) await evaluate(acme, agentId, { amount })
    // 80 falls: then 30 and 40 fit, and the refund of what never was gives nothing back.
    const report = await backtest(acme, id, { rules: [{ type: 'amount', max: 50 }] })
    expect([report.newlyRejected, report.newlyApproved]).toEqual([1, 2])
    expect(report.approvedNow).toBe(3)
  })

  test('takes voids and refunds of what falls along, and does not give them back twice', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    const { transactionId } = await aHold(acme, agentId, 80)
    await evaluate(acme, agentId, { amount: 30 })
    await change(acme, transactionId, 'void')
    const paid = await evaluate(acme, agentId, { amount: 60 })
    await change(acme, paid.transactionId, 'refund', 20)
    // 40 are spent in the record. Without the two, nothing was but the 30 that passes now.
    await evaluate(acme, agentId, { amount: 61 })
    await evaluate(acme, agentId, { amount: 10 })
    const report = await backtest(acme, id, { rules: [{ type: 'amount', max: 50 }] })
    const flips = report.examples.map(({ amount, after }) => [amount, after.decision])
    expect(flips).toEqual([
      [80, 'rejected'],
      [60, 'rejected'],
      [30, 'approved'],
    ])
    const strict = await backtest(acme, id, { rules: [{ type: 'amount', min: 50 }] })
    // The 30 was rejected then too; the 10 falls; the 61 still finds 40 spent.
    expect([strict.newlyRejected, strict.newlyApproved]).toEqual([1, 0])
  })

  test('counts windows of rules that the mandate never had, over all of the past', async () => {
    app.clock.now = NOON
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    for (const minutes of [0, 10, 20, 70, 75]) {
      app.clock.now = NOON + minutes * 60_000
      await evaluate(acme, agentId, { amount: 10 })
    }
    const voided = await aHold(acme, agentId, 10)
    await change(acme, voided.transactionId, 'void')
    app.clock.now = NOON + 77 * 60_000
    await evaluate(acme, agentId, { amount: 10 })
    const limit = { type: 'limit', maxCount: 2, window: '1h' }
    const report = await backtest(acme, id, { rules: [limit] })
    // The third at 20 minutes falls; at 70 and 75 only one of the hour before stands, then two.
    expect(report.reasons).toEqual([
      expect.objectContaining({ after: 'limit_count_exceeded', count: 3 }),
    ])
    const daily = { type: 'limit', maxAmount: 55, window: 'day' }
    const byDay = await backtest(acme, id, { rules: [daily] })
    expect([byDay.newlyRejected, byDay.money[0]?.newlyRejected]).toEqual([2, 20])
    app.clock.now = undefined
  })

  test('knows vendors and duplicates as they would have been', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    for (const vendor of ['a.example.com', 'a.example.com', 'b.example.com', 'a.example.com']) {
      await evaluate(acme, agentId, { vendor })
    }
    const known = await backtest(acme, id, { rules: [{ type: 'new_vendor' }] })
    // With `reject` no vendor ever becomes known.
    expect([known.newlyRejected, known.approvedNow]).toEqual([4, 0])
    const flagged = await backtest(acme, id, { rules: [{ type: 'new_vendor', effect: 'flag' }] })
    expect([flagged.newlyRejected, flagged.rules[0]?.flagged]).toEqual([0, 2])
    const duplicate = { type: 'duplicate', window: '10m', match: ['vendor', 'amount'] }
    const once = await backtest(acme, id, { rules: [duplicate] })
    expect([once.newlyRejected, once.approvedNow]).toEqual([2, 2])
  })

  test('replays another version, and lines of child mandates with what others spent', async () => {
    const top = await anActiveMandate(acme, { budgetTotal: 100 })
    const below = { parentMandateId: top.id, budgetTotal: 90 }
    const own = await anActiveMandate(acme, { ...below, rules: [{ type: 'amount', max: 20 }] })
    const other = await anActiveMandate(acme, below)
    await evaluate(acme, own.agentId, { amount: 50 })
    await evaluate(acme, other.agentId, { amount: 60 })
    bodyOf(await acme.patch(`/mandates/${own.id}`, { rules: [] }))
    await evaluate(acme, own.agentId, { amount: 45 })
    await evaluate(acme, own.agentId, { amount: 40 })
    const first = await backtest(acme, own.id, { version: 1 })
    expect([first.newlyRejected, first.newlyApproved]).toEqual([1, 0])
    const second = await backtest(acme, own.id, { version: 2 })
    // The 50 passes now; the others spend 60 all the same, so the 40 finds no room above.
    expect([second.newlyApproved, second.newlyRejected]).toEqual([1, 1])
    expect(second.reasons.map(({ after }) => after)).toContain('parent_budget_exceeded')
  })

  test('warns about rules that do nothing, or allow more than the mandate above', async () => {
    const top = await anActiveMandate(acme, {
      budgetTotal: 100,
      rules: [{ type: 'amount', max: 20 }],
    })
    const own = await anActiveMandate(acme, { parentMandateId: top.id, budgetTotal: 90 })
    const wide = await backtest(acme, own.id, { rules: [{ type: 'amount', max: 30 }] })
    expect(wide.warnings).toMatchObject([{ code: 'wider_than_parent', ruleIds: ['amount'] }])
    const narrow = await backtest(acme, own.id, { rules: [{ type: 'amount', max: 10 }] })
    expect(narrow.warnings).toEqual([])
    const rules = [
      { type: 'amount', min: 15 },
      { type: 'amount', max: 10 },
    ]
    const patched = bodyOf(await acme.patch(`/mandates/${own.id}`, { rules }))
    const nothing = await backtest(acme, own.id, { rules })
    expect(nothing.warnings).toEqual(patched['warnings'])
    expect(nothing.warnings).not.toEqual([])
  })

  test('takes approvals of people from the record', async () => {
    const rules = [{ type: 'approval', above: 20, id: 'ask' }]
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 500, rules })
    const agent = await aSpender(app, acme, agentId)
    const approvalId = approvalIdIn(await evaluate(agent, agentId, { amount: 50 }))
    bodyOf(await decideOn(await anApprover(app, acme), approvalId))
    await evaluate(agent, agentId, { amount: 50, approvalId })
    const same = await backtest(acme, id, { rules })
    expect([same.newlyApproved, same.newlyRejected, same.otherCode]).toEqual([0, 0, 0])
    const wider = await backtest(acme, id, { rules: [{ type: 'approval', above: 60 }] })
    expect([wider.newlyApproved, wider.newlyRejected]).toEqual([1, 0])
    // What they allowed, they would allow if another rule had asked.
    for (const rule of [
      { type: 'approval', above: 10, expiresIn: '30m' },
      { type: 'amount', max: 25, effect: 'require_approval' },
    ]) {
      const { newlyApproved, newlyRejected } = await backtest(acme, id, { rules: [rule] })
      expect([newlyApproved, newlyRejected], rule.type).toEqual([0, 0])
    }
  })

  test('lifts no rule that stood and was not lifted', async () => {
    const ask = { type: 'approval', above: 20, id: 'ask' }
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 500, rules: [ask] })
    const agent = await aSpender(app, acme, agentId)
    const approvalId = approvalIdIn(await evaluate(agent, agentId, { amount: 50 }))
    bodyOf(await decideOn(await anApprover(app, acme), approvalId))
    const more = { type: 'approval', above: 40, id: 'more' }
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: [ask, more] }))
    expect((await evaluate(agent, agentId, { amount: 50, approvalId })).decision).toBe('rejected')
    const same = await backtest(acme, id, { rules: [ask, more] })
    expect([same.newlyApproved, same.newlyRejected, same.otherCode]).toEqual([0, 0, 0])
  })

  test('knows a vendor that a person has made known, though the spend they approved falls', async () => {
    const rules = [{ type: 'new_vendor', effect: 'require_approval', id: 'new' }]
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 500, rules })
    const agent = await aSpender(app, acme, agentId)
    const approvalId = approvalIdIn(await evaluate(agent, agentId, { amount: 50 }))
    bodyOf(await decideOn(await anApprover(app, acme), approvalId))
    await evaluate(agent, agentId, { amount: 50, approvalId })
    await evaluate(agent, agentId, { amount: 30 })
    const report = await backtest(acme, id, { rules: [...rules, { type: 'amount', max: 40 }] })
    expect(report.examples.map(({ amount }) => amount)).toEqual([50])
  })

  test('names what it could not replay, and leaves it as it was decided', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 100 })
    const ids: string[] = []
    for (const amount of [20, 20.5, 21]) {
      const { transactionId } = await evaluate(acme, agentId, { amount })
      ids.push(toUuid('txn', transactionId) ?? '')
    }
    const set = (what: string, at: number) =>
      app.rows(`update transactions set ${what} where id = $1`, [ids[at]])
    await set('inputs = null, engine = null, inputs_hash = null', 0)
    await set('details_removed_at = clock_timestamp()', 1)
    await set('refunded_amount = 1, status = $$partially_refunded$$', 2)
    await evaluate(acme, agentId, { amount: 50 })
    const report = await backtest(acme, id, { rules: [{ type: 'amount', max: 10 }] })
    expect(report.notReplayed).toEqual([
      { reason: 'inputs_not_kept', count: 1 },
      { reason: 'details_removed', count: 1 },
      { reason: 'changes_not_kept', count: 1 },
    ])
    expect([report.newlyRejected, report.newlyApproved]).toEqual([0, 0])
  })

  test('answers lines where they are accepted, the report last', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const headers = { accept: 'application/x-ndjson', 'idempotency-key': 'lines' }
    for (let time = 0; time < 2; time += 1) {
      const { text, headers: told } = await acme.post(
        `/mandates/${id}/backtest`,
        { rules: [] },
        headers,
      )
      expect(told['content-type']).toContain('application/x-ndjson')
      expect(told['idempotent-replayed']).toBeUndefined()
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.at(-1).report.replayed).toBe(1)
    }
  })

  test('is made anew each time, whatever Idempotency-Key it is sent with', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const ask = async (body: object) => {
      const headers = { 'idempotency-key': 'again' }
      const { text } = await acme.post(`/mandates/${id}/backtest`, body, headers)
      return JSON.parse(text).replayed
    }
    await evaluate(acme, agentId)
    expect(await ask({ rules: [] })).toBe(1)
    await evaluate(acme, agentId)
    expect([await ask({ rules: [] }), await ask({ version: 1 })]).toEqual([2, 2])
  })

  test('is one at a time for an organization, until the process of the other is gone', async () => {
    const { id } = await anActiveMandate(acme)
    const hold = (until: number) =>
      app.rows(
        `insert into backtests values ($1, gen_random_uuid(), $2)
         on conflict (organization_id) do update set held_until = excluded.held_until`,
        [acme.organizationId, new Date(until).toISOString()],
      )
    app.clock.now = NOON
    await hold(NOON + 1)
    const refused = await acme.post(`/mandates/${id}/backtest`, { rules: [] })
    expect([refused.status, refused.body.code]).toEqual([409, 'backtest_running'])
    await hold(NOON)
    await backtest(acme, id, { rules: [] })
    expect(await app.rows('select 1 from backtests')).toEqual([])
    app.clock.now = undefined
  })

  test('refuses what it cannot replay with', async () => {
    const { id } = await aDraft(acme)
    const url = `/mandates/${id}/backtest`
    const refused = async (body: object) => {
      const { status, body: problem } = await acme.post(url, body)
      return [status, problem.errors[0]?.path]
    }
    expect(await refused({})).toEqual([400, '/rules'])
    expect(await refused({ rules: [], version: 1 })).toEqual([400, '/version'])
    expect(await refused({ version: 9 })).toEqual([400, '/version'])
    expect(await refused({ rules: [{ type: 'amount' }] })).toEqual([400, '/rules/0'])
    expect(await refused({ rules: [], examples: 101 })).toEqual([400, '/examples'])
    expect((await acme.post(`/mandates/${NO_MANDATE}/backtest`, { rules: [] })).status).toBe(404)
    const stranger = await app.organization()
    expect((await stranger.post(url, { rules: [] })).status).toBe(404)
    const { id: agentId } = await anAgent(acme)
    const bound = await aSpender(app, acme, agentId)
    expect((await bound.post(url, { rules: [] })).status).toBe(403)
    expect((await backtest(acme, id, { rules: [] })).replayed).toBe(0)
  })
})

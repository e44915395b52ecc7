import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../support/app.ts'
import {
  anApprover,
  approvalIdIn,
  decideOn,
  endApprovals,
  readApproval,
} from '../../support/approvals.ts'
import { bodyOf } from '../../support/builders.ts'
import type { Evaluated } from '../../support/spends.ts'
import { aCard, type CardDesk, openCardDesk } from './desk.ts'

const ASKS = { rules: [{ type: 'approval', above: 5 }] }

describe('a card purchase that needs a person', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  async function ask(desk: CardDesk, fields: object = {}): Promise<Evaluated> {
    const answer = await desk.ask({ ...fields })
    bodyOf(answer)
    return JSON.parse(answer.text)
  }
  const codeOf = ({ evaluationDetails }: Evaluated) => evaluationDetails.code
  /** Somebody whom the key that plays the issuer did not make. */
  async function approve(desk: CardDesk, id: string, fields: object = {}): Promise<void> {
    const approver = await anApprover(app, desk.acme)
    await app.rows(`update api_keys set created_by = 'cli' where name = 'Approver'`)
    bodyOf(await decideOn(approver, id, 'approve', { ...fields }))
  }

  test('is declined so that it can be tried again, and the next one passes, once', async () => {
    const desk = await openCardDesk({ app, mandate: ASKS })
    const declined = await desk.ask()
    expect(declined.body).toMatchObject({ decision: 'rejected', retryable: true })
    const id = approvalIdIn(JSON.parse(declined.text))
    expect(await readApproval(desk.acme, id)).toMatchObject({ path: 'card', amount: 30 })
    await approve(desk, id)
    const passed = await ask(desk)
    expect(passed).toMatchObject({ decision: 'approved', status: 'held' })
    expect(passed.evaluationDetails.approval).toMatchObject({ id, status: 'used' })
    expect(codeOf(await ask(desk))).toBe('approval_required')
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('is not let through for another merchant, more money or another card', async () => {
    const desk = await openCardDesk({ app, mandate: ASKS })
    const id = approvalIdIn(await ask(desk))
    await approve(desk, id)
    const { agentId, acme, connection } = desk
    const other = { connectionId: connection.id, agentId, externalId: 'tok_2' }
    const card = await aCard(app, acme, other)
    const merchant = { name: 'OTHER SHOP', id: '900200300400', mcc: '5734', country: 'US' }
    for (const change of [
      { merchant },
      { amount: 30.01 },
      { card: { externalId: card.externalId } },
    ]) {
      expect(codeOf(await ask(desk, change))).toBe('approval_required')
    }
    expect((await readApproval(acme, id)).status).toBe('approved')
    expect(codeOf(await ask(desk))).toBe('approved')
  })

  test('is let through by the approval for the rule as it is now, beside an older one', async () => {
    const desk = await openCardDesk({ app, mandate: ASKS })
    const older = approvalIdIn(await ask(desk))
    await approve(desk, older)
    const rules = [{ type: 'approval', above: 4 }]
    bodyOf(await desk.acme.patch(`/mandates/${desk.mandateId}`, { rules }))
    const id = approvalIdIn(await ask(desk))
    expect(id).not.toBe(older)
    await approve(desk, id)
    const passed = await ask(desk)
    expect(passed.evaluationDetails.approval).toMatchObject({ id, status: 'used' })
    expect((await readApproval(desk.acme, older)).status).toBe('approved')
  })

  test('uses the smallest approval that covers it', async () => {
    const desk = await openCardDesk({ app, mandate: ASKS })
    const large = approvalIdIn(await ask(desk))
    const small = approvalIdIn(await ask(desk, { amount: 10 }))
    await approve(desk, large)
    await approve(desk, small)
    const passed = await ask(desk, { amount: 10 })
    expect(passed.evaluationDetails.approval).toMatchObject({ id: small, status: 'used' })
    expect(codeOf(await ask(desk))).toBe('approved')
  })

  test('is not let through once the approval has ended', async () => {
    const desk = await openCardDesk({ app, mandate: ASKS })
    await approve(desk, approvalIdIn(await ask(desk)))
    await endApprovals(app, desk.agentId)
    expect(codeOf(await ask(desk))).toBe('approval_required')
  })

  test('is answered in the same way when its issuer repeats the request', async () => {
    const desk = await openCardDesk({ app, mandate: ASKS })
    await approve(desk, approvalIdIn(await ask(desk)))
    const same = { requestId: 'again', authorizationId: 'again' }
    const first = await ask(desk, same)
    expect(await ask(desk, same)).toEqual(first)
    expect(first.decision).toBe('approved')
  })

  test('is asked about by the key that sent it, which cannot answer', async () => {
    const desk = await openCardDesk({ app, mandate: ASKS })
    const id = approvalIdIn(await ask(desk))
    expect((await decideOn(desk.acme, id)).body.code).toBe('approval_own_request')
  })
})

import { describe, expect, test } from 'vitest'
import { toPublicId } from '../../../../src/core/id.ts'
import type { Answer } from '../../../support/app.ts'
import { aKey, anActiveMandate, bodyOf, NO_AGENT } from '../../../support/builders.ts'
import { budgetOf } from '../../../support/spends.ts'
import { type CardDesk, openDesksOnOneApp } from '../desk.ts'

const openCardDesk = openDesksOnOneApp()

const on = { authorizationId: 'authorization-1' }
const money = (amount: number) => ({ ...on, amount, currency: 'USD' })
const codeOf = ({ status, body }: Answer) => [status, body.code]

interface Moved {
  readonly desk: CardDesk
  readonly other: { readonly agentId: string; readonly id: string }
  readonly cardId: string
  move(agentId: string): Promise<Answer>
  /** What is spent, held and left of the other agent's budget. */
  budget(): Promise<readonly number[]>
}

async function openTwoAgents(): Promise<Moved> {
  const desk = await openCardDesk()
  const other = await anActiveMandate(desk.acme, { budgetTotal: 50 })
  const cardId = toPublicId('card', desk.card.id)
  return {
    desk,
    other,
    cardId,
    move: (agentId) => desk.acme.patch(`/cards/${cardId}`, { agentId }),
    budget: () => budgetOf(desk.acme, other.id),
  }
}

/** By the issuer's clock, `ms` from now. */
const inMs = (ms: number) => ({ occurredAt: new Date(Date.now() + ms).toISOString() })

describe('a card that moves to another agent', () => {
  test('spends the budget of the other agent from then on', async () => {
    const { desk, other, move, budget } = await openTwoAgents()
    expect(bodyOf(await move(other.agentId))).toMatchObject({ agentId: other.agentId })
    expect((await desk.ask()).body).toMatchObject({ decision: 'approved', remainingBudget: 20 })
    expect(await budget()).toEqual([30, 30, 20])
    expect(await desk.budget()).toEqual([0, 0, 100])
    const { data } = bodyOf(await desk.acme.get(`/cards?agentId=${other.agentId}`))
    expect(data).toHaveLength(1)
  })

  test('leaves an authorization with the agent that it began under, with all that follows', async () => {
    const { desk, other, move, budget } = await openTwoAgents()
    await desk.ask()
    bodyOf(await move(other.agentId))
    const more = await desk.ask({ ...on, type: 'incremental', amount: 40 })
    expect(more.body).toMatchObject({ decision: 'approved', remainingBudget: 30 })
    await desk.tell('capture', { ...money(75), card: { externalId: 'tok_1' }, ...inMs(60_000) })
    await desk.tell('refund', { ...money(5), card: { externalId: 'tok_1' }, ...inMs(61_000) })
    expect(await desk.budget()).toEqual([70, 0, 30])
    expect(await budget()).toEqual([0, 0, 50])
  })

  test('is stopped with the agent that its authorization began under', async () => {
    const { desk, other, move } = await openTwoAgents()
    await desk.ask()
    bodyOf(await move(other.agentId))
    bodyOf(await desk.acme.patch(`/agents/${desk.agentId}`, { status: 'paused' }))
    const more = await desk.ask({ ...on, type: 'incremental', amount: 1 })
    expect(more.body).toMatchObject({ decision: 'rejected', code: 'agent_paused' })
    expect((await desk.ask()).body.decision).toBe('approved')
  })

  test('charges money that nobody asked about to the agent that had it then', async () => {
    const { desk, other, move, budget } = await openTwoAgents()
    const card = { externalId: 'tok_1' }
    const before = { ...inMs(-1_000), card, amount: 7, currency: 'USD' }
    bodyOf(await move(other.agentId))
    await desk.tell('capture', { ...inMs(60_000), card, amount: 11, currency: 'USD' })
    await desk.tell('capture', before)
    expect(await desk.budget()).toEqual([7, 0, 93])
    expect(await budget()).toEqual([11, 0, 39])
  })

  test('goes back and forth, and each move is kept with who made it', async () => {
    const { desk, other, cardId, move } = await openTwoAgents()
    for (const agentId of [other.agentId, desk.agentId, other.agentId, other.agentId]) {
      bodyOf(await move(agentId))
    }
    const changes = await desk.app.rows<{ before: object; after: object }>(
      `select before, after from changes where organization_id = $1 and subject_id = $2`,
      [desk.acme.organizationId, cardId],
    )
    expect(changes[0]).toMatchObject({
      before: { agentId: desk.agentId },
      after: { agentId: other.agentId },
    })
    const held = await desk.app.rows(
      'select agent_id from card_holders where organization_id = $1 order by since',
      [desk.acme.organizationId],
    )
    expect(held).toHaveLength(4)
  })

  test('moves to an agent that is there, and not once it is closed', async () => {
    const { desk, other, cardId, move } = await openTwoAgents()
    expect(codeOf(await move(NO_AGENT))).toEqual([404, 'agent_not_found'])
    const { client: bound } = await aKey(desk.app, desk.acme, {
      agentIds: [desk.agentId, other.agentId],
      scopes: ['cards:write'],
    })
    const agentId = other.agentId
    expect(codeOf(await bound.patch(`/cards/${cardId}`, { agentId }))[0]).toBe(403)
    bodyOf(await desk.acme.patch(`/cards/${cardId}`, { status: 'closed' }))
    expect(codeOf(await move(agentId))).toEqual([409, 'card_closed_for_good'])
  })
})

describe("a closed card's name", () => {
  const again = (desk: CardDesk, agentId: string) =>
    desk.acme.post('/cards', { connectionId: desk.connectionId, externalId: 'tok_1', agentId })

  test('is registered again for another agent, once', async () => {
    const { desk, other, cardId, budget } = await openTwoAgents()
    expect(codeOf(await again(desk, other.agentId))).toEqual([409, 'card_exists'])
    bodyOf(await desk.acme.patch(`/cards/${cardId}`, { status: 'closed' }))
    expect((await desk.ask()).body.code).toBe('card_closed')
    const answers = await Promise.all([again(desk, other.agentId), again(desk, other.agentId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await desk.ask()).body.decision).toBe('approved')
    expect(await budget()).toEqual([30, 30, 20])
    const { data } = bodyOf(await desk.acme.get('/cards?externalId=tok_1'))
    expect(data.map(({ status }) => status)).toEqual(['active', 'closed'])
  })

  test('leaves what was bought before with the agent that bought it', async () => {
    const { desk, other, cardId, budget } = await openTwoAgents()
    await desk.ask()
    bodyOf(await desk.acme.patch(`/cards/${cardId}`, { status: 'closed' }))
    bodyOf(await again(desk, other.agentId))
    const card = { externalId: 'tok_1' }
    await desk.tell('capture', { ...money(30), card, final: true })
    await desk.tell('capture', { ...inMs(-1_000), card, amount: 7, currency: 'USD' })
    expect(await desk.budget()).toEqual([37, 0, 63])
    expect(await budget()).toEqual([0, 0, 50])
  })

  test('keeps what its issuer said of the card', async () => {
    const { desk, other, cardId } = await openTwoAgents()
    const card = { externalId: 'tok_1' }
    await desk.tell('card_status', { card, status: 'paused' })
    bodyOf(await desk.acme.patch(`/cards/${cardId}`, { status: 'closed' }))
    expect(bodyOf(await again(desk, other.agentId))).toMatchObject({ providerStatus: 'paused' })
    expect((await desk.ask()).body.code).toBe('card_paused')
    await desk.tell('card_status', { card, status: 'active' })
    expect((await desk.ask()).body.decision).toBe('approved')
  })
})

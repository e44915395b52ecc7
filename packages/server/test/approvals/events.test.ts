import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anApprover, aSpender, askFor, decideOn, endApprovals } from '../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'

const ASKS = { type: 'approval', above: 5 }
const KINDS = ['approval.requested', 'approval.decided']

interface ToldEvent {
  readonly event: string
  readonly data: { readonly approvalId: string; readonly decision?: string }
}

describe('events of approvals', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  async function asking(acme: Owner) {
    const { agentId } = await anActiveMandate(acme, { rules: [ASKS] })
    const spender = await aSpender(app, acme, agentId)
    return { agentId, spender, approver: await anApprover(app, acme) }
  }
  async function subscriber() {
    const acme = await app.organization()
    bodyOf(await acme.patch('/organization', { webhookEvents: KINDS }))
    return acme
  }
  const eventsOf = async (client: Client): Promise<readonly ToldEvent[]> => {
    const { data } = JSON.parse((await client.get('/events?limit=200')).text)
    return data.filter(({ event }: ToldEvent) => KINDS.includes(event))
  }

  test('tell of a request once, and of its decision', async () => {
    const acme = await subscriber()
    const { agentId, spender, approver } = await asking(acme)
    const id = await askFor(spender, agentId)
    await askFor(spender, agentId)
    bodyOf(await decideOn(approver, id, 'approve', { comment: 'Yes.', maxAmount: 9 }))
    expect(await eventsOf(acme)).toMatchObject([
      {
        event: 'approval.requested',
        data: { approvalId: id, status: 'pending', agentId, amount: 10, vendor: 'api.openai.com' },
      },
      {
        event: 'approval.decided',
        data: {
          approvalId: id,
          status: 'approved',
          decision: 'approve',
          decidedBy: 'Approver',
          decidedById: expect.stringMatching(/^key_[0-9a-f]{32}$/),
          decidedByEmail: null,
          comment: 'Yes.',
          maxAmount: 9,
        },
      },
    ])
  })

  test('tell once that nobody has answered in time', async () => {
    const acme = await subscriber()
    const { agentId, spender, approver } = await asking(acme)
    const ids = [await askFor(spender, agentId), await askFor(spender, agentId, { amount: 11 })]
    await endApprovals(app, agentId)
    const expired = async () =>
      (await eventsOf(acme)).filter(({ data }) => data.decision === 'expired')
    await waitUntil(async () => (await expired()).length === 2)
    const told = (await expired()).map(({ data }) => data.approvalId)
    expect(told.sort()).toEqual(ids.sort())
    const late = await decideOn(approver, ids[0] ?? '')
    expect(late.body.code).toBe('approval_decided')
    expect(await expired()).toHaveLength(2)
  })

  test('are not there unless they are chosen', async () => {
    const acme = await app.organization()
    const { agentId, spender, approver } = await asking(acme)
    bodyOf(await decideOn(approver, await askFor(spender, agentId)))
    expect(await eventsOf(acme)).toEqual([])
  })

  test('are not there for what an agent did not ask a second time', async () => {
    const acme = await subscriber()
    const { agentId, spender } = await asking(acme)
    await askFor(spender, agentId)
    await askFor(spender, agentId)
    expect(await eventsOf(acme)).toHaveLength(1)
  })
})

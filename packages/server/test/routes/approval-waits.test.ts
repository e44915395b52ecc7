import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POLLS_PER_KEY_MAX } from '../../src/routes/approvals/long-polls.ts'
import {
  type Client,
  createTestApp,
  createTestAppOn,
  type Owner,
  type TestApp,
} from '../support/app.ts'
import {
  anApprover,
  aSpender,
  askFor,
  decideOn,
  endApprovals,
  readApproval,
} from '../support/approvals.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { createTestDatabase, usualEngine } from '../support/database.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'

const ASKS = { type: 'approval', above: 5 }

describe('an answer that waits for a person', () => {
  let app: TestApp
  let acme: Owner
  let approver: Client

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    approver = await anApprover(app, acme)
  })
  afterAll(() => app.stop())

  async function asked() {
    const { agentId } = await anActiveMandate(acme, { rules: [ASKS] })
    const spender = await aSpender(app, acme, agentId)
    return { agentId, spender, id: await askFor(spender, agentId) }
  }

  test('comes with the decision', async () => {
    const { id, spender } = await asked()
    const waiting = spender.get(`/approvals/${id}?wait=60`)
    bodyOf(await decideOn(approver, id, 'reject', { comment: 'No.' }))
    const { text } = await waiting
    expect(JSON.parse(text)).toMatchObject({ status: 'rejected', decisions: [{ comment: 'No.' }] })
  })

  test('comes at once where nobody is waited for', async () => {
    const { id, spender } = await asked()
    bodyOf(await decideOn(approver, id))
    expect(bodyOf(await spender.get(`/approvals/${id}?wait=60`)).status).toBe('approved')
  })

  test('comes when the request has expired', async () => {
    const { id, spender, agentId } = await asked()
    const waiting = spender.get(`/approvals/${id}?wait=60`)
    await endApprovals(app, agentId)
    expect(bodyOf(await waiting).status).toBe('expired')
  })

  test('comes after its time, still pending', async () => {
    const { id, spender } = await asked()
    expect(bodyOf(await spender.get(`/approvals/${id}?wait=1`)).status).toBe('pending')
  })

  test('is refused with a time that is too long', async () => {
    const { id, spender } = await asked()
    expect((await spender.get(`/approvals/${id}?wait=61`)).status).toBe(400)
  })

  test('is refused when too many of a key wait, and others are not', async () => {
    const { id, spender } = await asked()
    const { client } = await aKey(app, acme)
    const waits = Array.from({ length: POLLS_PER_KEY_MAX + 1 }, () =>
      client.get(`/approvals/${id}?wait=60`),
    )
    // The one too many is answered while all others wait.
    const refused = await Promise.race(waits)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect((await readApproval(client, id)).status).toBe('pending')
    const other = spender.get(`/approvals/${id}?wait=60`)
    bodyOf(await decideOn(approver, id))
    expect(bodyOf(await other).status).toBe('approved')
    const statuses = (await Promise.all(waits)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(POLLS_PER_KEY_MAX)
  })

  test('ends with its key', async () => {
    const { id } = await asked()
    const { client, key } = await aKey(app, acme)
    const waiting = client.get(`/approvals/${id}?wait=60`)
    bodyOf(await acme.delete(`/api-keys/${key.id}`))
    expect((await waiting).status).toBe(401)
  })

  test('ends when the process stops', async () => {
    const database = await createTestDatabase(usualEngine())
    const sent = new Set<string>()
    const other = await createTestAppOn(
      database,
      watchDatabase(database.db, (text) => sent.add(text)),
    )
    const owner = await other.organization()
    const { agentId } = await anActiveMandate(owner, { rules: [ASKS] })
    const id = await askFor(owner, agentId)
    // Over a connection: a stop waits for those, and not for what is injected.
    const address = await other.app.listen({ port: 0, host: '127.0.0.1' })
    const waiting = fetch(`${address}/api/v1/approvals/${id}?wait=60`, {
      headers: { authorization: `Bearer ${owner.apiKey}` },
    })
    await waitUntil(() => [...sent].some((text) => text.includes('as w (id)')))
    await other.stop()
    expect((await waiting).status).toBe(200)
  })
})

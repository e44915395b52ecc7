import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerBody } from '../support/answer-body.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/database.ts'
import { openSite, type Site } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { waitUntil } from '../support/wait-until.ts'
import { EXAMPLES } from './examples.ts'
import type { Asker, PathExample, SpendRequest } from './path-example.ts'
import { WITHOUT_NODE } from './x402/payments.ts'

/*
 * Whoever stops an organization or an agent is answered once it is stopped: whatever is asked after
 * that answer is rejected, over every path and by every process. That is sooner than within a second,
 * and nothing has to be timed.
 */

interface Spender {
  readonly agentId: string
  readonly mandateId: string
  request(n: number): SpendRequest
}

const SWITCHES = [
  {
    name: 'a frozen organization',
    code: 'organization_frozen',
    turn: (acme: Asker, _agentId: string, isOn: boolean) =>
      acme.patch('/organization', { frozen: isOn }),
  },
  {
    name: 'a paused agent',
    code: 'agent_paused',
    turn: (acme: Asker, agentId: string, isOn: boolean) =>
      acme.patch(`/agents/${agentId}`, { status: isOn ? 'paused' : 'active' }),
  },
] as const

const CASES = EXAMPLES.flatMap((path) =>
  SWITCHES.map((each) => [path.name, each.name, each, path] as const),
)

let count = 0

/** A new spend. A machine that is too slow for the deadline of a path is asked once more. */
async function codeOf(acme: Asker, { request }: Spender): Promise<string> {
  let code = ''
  await waitUntil(async () => {
    count += 1
    const { path, body, headers } = request(count)
    const answer = await acme.post(path, body, headers)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    code = answer.body.evaluationDetails.code
    return code !== 'deadline_passed'
  })
  return code
}

async function aSpender(acme: Asker, path: PathExample): Promise<Spender> {
  const must = async (url: string, body?: object): Promise<AnswerBody> => {
    const answer = await acme.post(url, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const { id: agentId } = await must('/agents', { name: 'Agent' })
  const { id: mandateId } = await must('/mandates', { agentId, budgetTotal: 10_000 })
  await must(`/mandates/${mandateId}/activate`)
  return { agentId, mandateId, request: await path.equip(acme, agentId) }
}

const spentBy = async (acme: Asker, { mandateId }: Spender): Promise<number> =>
  (await acme.get(`/mandates/${mandateId}`)).body.budgetSpent

/** Stops at one gateway, and asks the other one. */
async function stopsEverywhere(
  here: Asker,
  there: Asker,
  spender: Spender,
  { turn, code }: (typeof SWITCHES)[number],
): Promise<void> {
  expect(await codeOf(there, spender)).toBe('approved')
  const spent = await spentBy(here, spender)
  expect((await turn(here, spender.agentId, true)).status).toBe(200)
  expect(await codeOf(there, spender)).toBe(code)
  expect(await codeOf(here, spender)).toBe(code)
  expect(await spentBy(there, spender)).toBe(spent)
  expect((await turn(there, spender.agentId, false)).status).toBe(200)
  expect(await codeOf(here, spender)).toBe('approved')
}

describe('the kill switch', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(undefined, WITHOUT_NODE)
  })
  afterAll(() => app?.stop())

  test.each(CASES)('over %s, %s stops the next spend', async (_path, _name, each, path) => {
    const acme = await app.organization()
    await stopsEverywhere(acme, acme, await aSpender(acme, path), each)
  })
})

describeOnPostgres('the kill switch, turned at one process', () => {
  let database: TestDatabase
  let site: Site
  let gateways: GatewayProcess[] = []
  let askers: [Asker, Asker]
  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    const environment = Object.assign({}, ...EXAMPLES.map((path) => path.environment))
    const opened = await openSite({ databaseUrl: database.url }, environment)
    site = opened.site
    gateways = [opened.first]
    const second = await site.start()
    gateways.push(second)
    askers = [askerAt(opened.first.url), askerAt(second.url)]
  })
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await site?.close()
    await database?.drop()
  })

  function askerAt(url: string): Asker {
    async function ask(method: string, path: string, body?: object, further: object = {}) {
      const headers = {
        ...further,
        authorization: `Bearer ${site.apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const answer = await fetch(`${url}/api/v1${path}`, sent)
      return { status: answer.status, body: JSON.parse(await answer.text()) as AnswerBody }
    }
    return {
      get: (path) => ask('GET', path),
      post: (path, body, headers) => ask('POST', path, body, headers),
      patch: (path, body) => ask('PATCH', path, body),
    }
  }

  test.each(CASES)(
    'over %s, %s stops the next spend of another',
    async (_path, _name, each, path) => {
      const [here, there] = askers
      await stopsEverywhere(here, there, await aSpender(here, path), each)
    },
  )

  test.each(SWITCHES)('in the middle of many spends: $name', async ({ turn, code }) => {
    const [here, there] = askers
    const [evaluate] = EXAMPLES
    if (!evaluate) return
    const spender = await aSpender(here, evaluate)
    const after: string[] = []
    let isStopped = false
    let hasApproved = false
    let isOver = false
    const stream = async (): Promise<void> => {
      while (!isOver) {
        const wasStopped = isStopped
        const got = await codeOf(there, spender)
        if (wasStopped) after.push(got)
        else if (got === 'approved') hasApproved = true
      }
    }
    const streams = Array.from({ length: 4 }, stream)
    try {
      await waitUntil(() => hasApproved)
      await turn(here, spender.agentId, true)
      isStopped = true
      await waitUntil(() => after.length >= 20)
    } finally {
      isOver = true
      await Promise.all(streams)
      await turn(here, spender.agentId, false)
    }
    expect(new Set(after)).toEqual(new Set([code]))
  })
})

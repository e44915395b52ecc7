import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { evaluate, simulate } from '../support/spends.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.stop()
  app = undefined
})

async function spendAndGather(tellsDecisions: boolean) {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => {
    lines.push(JSON.parse(line))
  }
  const log = pino({ level: 'info', base: null, timestamp: false }, { write })
  app = await createTestApp(undefined, { log: { tellsDecisions } }, log)
  const owner = await app.organization()
  const { agentId } = await anActiveMandate(owner, { budgetTotal: 100, currency: 'EUR' })
  const key = { 'idempotency-key': 'once' }
  const first = await evaluate(owner, agentId, { amount: 12.5 }, key)
  const rejected = await evaluate(owner, agentId, { amount: 500 })
  await evaluate(owner, agentId, { amount: 12.5 }, key)
  await simulate(owner, agentId)
  return { lines, agentId, first, rejected }
}

describe('a decision', () => {
  test('is a line of the log where that is asked for, and a repeated answer says so', async () => {
    const { lines, agentId, first, rejected } = await spendAndGather(true)
    const common = { agentId, currency: 'EUR', vendor: 'api.openai.com', path: 'evaluate' }
    const approved = {
      ...common,
      level: 30,
      event: 'decision.approved',
      msg: 'Approved.',
      decision: 'approved',
      code: 'approved',
      amount: 12.5,
      transactionId: first.transactionId,
      ms: expect.any(Number),
    }
    expect(lines).toEqual([
      approved,
      {
        ...approved,
        event: 'decision.rejected',
        msg: 'Rejected.',
        decision: 'rejected',
        code: rejected.evaluationDetails.code,
        amount: 500,
        transactionId: rejected.transactionId,
      },
      { ...approved, isReplay: true },
    ])
  })

  test('leaves no line otherwise', async () => {
    const { lines } = await spendAndGather(false)
    expect(lines).toEqual([])
  })

  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ PURSER_LOG_DECISIONS: 'false' }, true, false],
    [{ PURSER_LOG_DECISIONS: 'true' }, false, true],
  ])('with %j, on a terminal %j, is told: %j', (env, isTerminal, isTold) => {
    expect(readConfig(env, { isTerminal }).log.tellsDecisions).toBe(isTold)
  })

  test('is told or not: anything else is a mistake', () => {
    expect(() => readConfig({ PURSER_LOG_DECISIONS: 'some' })).toThrow(
      'PURSER_LOG_DECISIONS must be true or false.',
    )
  })

  test('is not told in production, even on a terminal, unless it is asked for', () => {
    const env = { PURSER_ENV: 'production', PURSER_MASTER_KEY: Buffer.alloc(32, 9).toString('hex') }
    expect(readConfig(env, { isTerminal: true }).log.tellsDecisions).toBe(false)
  })
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { PATH_NAMES } from '../../src/core/path.ts'
import { PATHS } from '../../src/paths/index.ts'
import { listProblems } from '../../src/paths/path.ts'
import { shareApp } from '../support/share-app.ts'
import { budgetOf } from '../support/spends.ts'
import { describeOnChain } from '../support/x402/describe-on-chain.ts'
import { EXAMPLES } from './examples.ts'
import type { PathExample, Till } from './path-example.ts'

// The promises that hold whichever way a spend comes in.

test('every path has an example here', () => {
  expect(EXAMPLES.map(({ name }) => name)).toEqual(PATHS.map(({ name }) => name))
})

test('core knows the name of every path, and no two paths have the same', () => {
  const names = PATHS.map(({ name }) => name)
  expect(PATH_NAMES.filter((name) => names.includes(name)).sort()).toEqual([...names].sort())
})

test('every problem of the catalogue has a code of its own, whichever path defines it', () => {
  const codes = listProblems(PATHS).map(({ code }) => code)
  expect(codes.filter((code, index) => codes.indexOf(code) < index)).toEqual([])
  expect(codes.filter((code) => !/^[a-z][a-z0-9_]+$/.test(code))).toEqual([])
})

const app = shareApp()

async function open(path: PathExample): Promise<Till> {
  const shared = await app()
  onTestFinished(() => {
    shared.clock.now = undefined
  })
  return path.open(10, shared)
}

const recordOf = async ({ acme, agentId }: Till) =>
  (await acme.get(`/transactions?agentId=${agentId}`)).body.data

for (const path of EXAMPLES) {
  const describeWhereItRuns = path.needsChain ? describeOnChain : describe
  describeWhereItRuns(`a spend over ${path.name}`, () => promises(path))
}

function promises(path: PathExample): void {
  test('is approved within the budget: one record, one event', async () => {
    const till = await open(path)
    const { body } = await till.spend(4)
    expect(body).toMatchObject({ decision: 'approved', remainingBudget: 6 })
    expect(await recordOf(till)).toMatchObject([
      { transactionId: body.transactionId, path: path.name, status: 'held', heldAmount: 4 },
    ])
    const { data: events } = (await till.acme.get('/events')).body
    expect(events.map(({ event }) => event)).toEqual(['transaction.approved'])
  })

  test('is rejected beyond the budget', async () => {
    const till = await open(path)
    const { status, body } = await till.spend(10.5)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      decision: 'rejected',
      evaluationDetails: { code: 'budget_exceeded', next: { maxAmountNow: 10 } },
    })
    expect(await recordOf(till)).toMatchObject([{ path: path.name, status: 'rejected' }])
    expect(await budgetOf(till.acme, till.mandateId)).toEqual([0, 0, 10])
  })

  test('stays held while nobody knows', async () => {
    const till = await open(path)
    const { body } = await till.spend(4)
    await till.waitInVain(body.transactionId)
    expect(await budgetOf(till.acme, till.mandateId)).toEqual([4, 4, 6])
  })

  test('is spent once money moved', async () => {
    const till = await open(path)
    await till.proveMoved(await till.spend(4))
    expect(await budgetOf(till.acme, till.mandateId)).toEqual([4, 0, 6])
  })

  test('is given back once it is certain that none moved', async () => {
    const till = await open(path)
    await till.proveNotMoved(await till.spend(4))
    expect(await budgetOf(till.acme, till.mandateId)).toEqual([0, 0, 10])
  })

  test('is made once per Idempotency-Key', async () => {
    const till = await open(path)
    const answers = [await till.spend(4, 'once'), await till.spend(4, 'once')]
    expect(new Set(answers.map(({ body }) => body.transactionId)).size).toBe(1)
    expect(answers[1]?.headers['idempotent-replayed']).toBe('true')
    expect(await budgetOf(till.acme, till.mandateId)).toEqual([4, 4, 6])
  })
}

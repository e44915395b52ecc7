import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Replayed } from '../../src/core/replay/recorded-decision.ts'
import { createReplay } from '../../src/core/replay/replay.ts'
import { readHistoryPages } from '../../src/gateway/backtest/read-history.ts'
import { createRecordedPolicies } from '../../src/gateway/recorded-policies.ts'
import { findTree } from '../../src/storage/decisions/past.ts'
import { findMandate } from '../../src/storage/mandates.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { backtest } from '../support/backtests.ts'
import type { Engine } from '../support/database.ts'
import { evaluate } from '../support/spends.ts'
import { aHistory, aHistoryOfVersions, lived, ruleSets, spends } from './past-lives.ts'

/** Defines the tests of so many histories each. A run takes about a second. */
export function describeBacktests(runs: number, engine: Engine): void {
  describe('a backtest of generated histories', () => testBacktests(runs, engine))
}

function testBacktests(numRuns: number, engine: Engine): void {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(engine)
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  test('reproduces every decision with the rules that judged', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        const { mandateId, decisions } = await lived(app, acme, history)
        const report = await backtest(acme, mandateId, { version: 1 })
        expect(report).toMatchObject({
          partial: false,
          replayed: decisions.length,
          approvedBefore: decisions.filter((decision) => decision === 'approved').length,
          newlyApproved: 0,
          newlyRejected: 0,
          otherCode: 0,
          examples: [],
          notReplayed: [],
        })
      }),
      { numRuns },
    )
  })

  test('reproduces every decision with the version that was active, whichever that was', async () => {
    await fc.assert(
      fc.asyncProperty(aHistoryOfVersions, async (history) => {
        const { mandateId, decisions } = await lived(app, acme, history)
        const all = await replayByActive(toUuid('mnd', mandateId) ?? '')
        expect(all).toHaveLength(decisions.length)
        expect(all.map(decidedNow)).toEqual(all.map(decidedThen))
      }),
      { numRuns },
    )
  })

  /** Replays with the version that judged in the place of a proposed one. */
  async function replayByActive(id: string): Promise<Replayed[]> {
    const { db } = app.database
    const { organizationId } = acme
    const mandate = await findMandate(db, organizationId, id)
    if (!mandate) throw new Error('There is a mandate.')
    const { agentId, version } = mandate
    const policies = createRecordedPolicies(db, organizationId)
    await policies.load(await app.rows('select mandate_id as id, version from mandate_versions'))
    const tree = await findTree(db, organizationId, id)
    const replay = createReplay({
      organizationId,
      agentId,
      mandateId: id,
      treeIds: new Set(tree.map((member) => member.id)),
      recorded: policies.of,
      proposed: (judged) => policies.of({ id, version: judged }),
      counting: policies.of({ id, version }),
    })
    const all: Replayed[] = []
    const agentIds = [...new Set(tree.map((member) => member.agentId))]
    for await (const page of readHistoryPages(
      db,
      organizationId,
      agentIds,
      app.clock.now ?? Date.now(),
    )) {
      all.push(...page.flatMap((past) => replay.next(past) ?? []))
    }
    return all
  }

  test('decides with other rules as a gateway that had them would have', async () => {
    await fc.assert(
      fc.asyncProperty(ruleSets, ruleSets, spends, async (before, after, all) => {
        const then = await lived(app, acme, { rules: before, steps: all })
        const now = await lived(app, acme, { rules: after, steps: all })
        const flips = then.decisions.flatMap((decision, at) =>
          decision === now.decisions[at] ? [] : [then.ids[at]],
        )
        const report = await backtest(acme, then.mandateId, { rules: after, examples: 100 })
        const told = report.examples.map(({ transactionId }) => transactionId)
        expect(told.sort()).toEqual(flips.sort())
        const approved = now.decisions.filter((decision) => decision === 'approved')
        expect(report.approvedNow).toBe(approved.length)
      }),
      { numRuns },
    )
  })

  test('leaves no mark of itself', async () => {
    const { mandateId, agentId } = await lived(app, acme, { rules: [], steps: [] })
    await evaluate(acme, agentId)
    const before = await app.rows('select * from mandates order by id')
    await backtest(acme, mandateId, { rules: [] })
    expect(await app.rows('select * from mandates order by id')).toEqual(before)
    expect(await app.rows('select * from backtests')).toEqual([])
  })
}

function decidedThen({ past }: Replayed): readonly unknown[] {
  return [past.id, past.code, past.firstFailure]
}

function decidedNow(replayed: Replayed): readonly unknown[] {
  if (replayed.kind !== 'judged') return [replayed.past.id, replayed.kind]
  const { past, decision } = replayed
  return [past.id, decision.code, decision.details.firstFailure]
}

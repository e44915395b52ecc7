import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnswerWatch } from '../../src/approvals/answer-watch.ts'
import { toUuid } from '../../src/core/id.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { askFor, endApprovals } from '../support/approvals.ts'
import { anActiveMandate } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'

const ASKS = { type: 'approval', above: 5 }

describe('those who wait for an answer', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  async function asked(owner: Owner) {
    const { agentId } = await anActiveMandate(owner, { rules: [ASKS] })
    return { agentId, id: toUuid('apr', await askFor(owner, agentId)) ?? '' }
  }

  test('are told it while the place of another organization does not answer', async () => {
    const [stuck, well] = [await app.organization(), await app.organization()]
    const [theirs, own] = [await asked(stuck), await asked(well)]
    const { db } = app.database
    let unanswered = 0
    // As a node of a distributed store that hangs.
    const query: Database['query'] = (statement) => {
      if (statement.values?.[0] !== stuck.organizationId) return db.query(statement)
      unanswered += 1
      return new Promise(() => {})
    }
    const watch = createAnswerWatch({ db: { ...db, query }, now: Date.now })
    const { signal } = new AbortController()
    const hanging = watch.wait(stuck.organizationId, theirs.id, signal)
    const told = watch.wait(well.organizationId, own.id, signal)
    // Once when it began to wait, and once in a round.
    await waitUntil(() => unanswered >= 2)
    await endApprovals(app, own.agentId)
    await told
    expect(unanswered).toBe(2)
    watch.stop()
    await hanging
  })
})

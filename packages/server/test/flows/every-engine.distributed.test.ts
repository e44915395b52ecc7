import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reachOf } from '../../src/storage/distributed/reach.ts'
import { narrowTo } from '../../src/storage/distributed/reachable.ts'
import type { Statement } from '../../src/storage/engine/database.ts'
import { everyFlow, expectEveryStatement, hasChain } from './every-flow.ts'
import { type FlowStage, openFlowStage } from './stage.ts'

/* Everything once, on a store that is distributed over two workers (ADR 64). */

const sent = new Set<string>()
/** The first statement of each text. */
const statements = new Map<string, Statement>()
let opened: FlowStage

beforeAll(async () => {
  opened = await openFlowStage('postgres', hasChain, sent, (statement) => {
    if (!statements.has(statement.text)) statements.set(statement.text, statement)
  })
})
afterAll(() => opened?.stop())

describe('the gateway on a distributed store', () => everyFlow(() => opened))

test('the distributed store is sent every statement of storage', () => expectEveryStatement(sent))

/** How many tasks the statement is; undefined if it cannot be explained. */
async function tasksOf({ text, values = [] }: Statement): Promise<number | undefined> {
  const { db } = opened.app.database
  try {
    const lines = await db.query({ text: `explain ${text}`, values })
    const [, tasks = '1'] = /Task Count: (\d+)/.exec(JSON.stringify(lines)) ?? []
    return Number(tasks)
  } catch {
    return undefined
  }
}

test('every statement about one organization needs one worker', async () => {
  const spread: string[] = []
  for (const statement of statements.values()) {
    if (reachOf(statement) !== 'one') continue
    if (((await tasksOf(statement)) ?? 1) > 1) spread.push(squeeze(statement.text))
  }
  expect(spread).toEqual([])
})

test('a list over all organizations can be narrowed to those of one worker', async () => {
  const { organizationId } = await opened.app.organization('Alone')
  const spread: string[] = []
  let narrowed = 0
  for (const statement of statements.values()) {
    const only = narrowTo(statement, [organizationId])
    if (only.text === statement.text) continue
    narrowed += 1
    if ((await tasksOf(only)) !== 1) spread.push(squeeze(only.text))
  }
  expect(spread).toEqual([])
  expect(narrowed).toBeGreaterThan(15)
})

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

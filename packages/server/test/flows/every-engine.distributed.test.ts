import { afterAll, beforeAll, describe, test } from 'vitest'
import { everyFlow, expectEveryStatement, hasChain } from './every-flow.ts'
import { type FlowStage, openFlowStage } from './stage.ts'

/* Everything once, on a store that is distributed over two workers (ADR 64). */

const sent = new Set<string>()

describe('the gateway on a distributed store', () => {
  let opened: FlowStage
  beforeAll(async () => {
    opened = await openFlowStage('postgres', hasChain, sent)
  })
  afterAll(() => opened?.stop())
  everyFlow(() => opened)
})

test('the distributed store is sent every statement of storage', () => expectEveryStatement(sent))

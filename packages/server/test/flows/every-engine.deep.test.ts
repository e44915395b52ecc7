import { afterAll, beforeAll, describe, test } from 'vitest'
import { everyFlow, expectEveryStatement, hasChain } from './every-flow.ts'
import { type FlowStage, openFlowStage } from './stage.ts'

/*
 * Everything once, on the embedded engine, which `npm start` runs. `npm test` does the same on the
 * usual engine.
 */

const sent = new Set<string>()

describe('the gateway on the embedded engine', () => {
  let opened: FlowStage
  beforeAll(async () => {
    opened = await openFlowStage('embedded', hasChain, sent)
  })
  afterAll(() => opened?.stop())
  everyFlow(() => opened)
})

test('the embedded engine is sent every statement of storage', () => expectEveryStatement(sent))

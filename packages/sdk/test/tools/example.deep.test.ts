import { expect, test } from 'vitest'
import { startChild } from '../../../server/test/support/child-process.ts'

test('examples/agent is refused, asks a person, buys once, and ends', async () => {
  const example = startChild(new URL('../../../../examples/agent/run.ts', import.meta.url), [])
  const { code, errors } = await example.waitForExit()
  expect([code, errors]).toEqual([0, ''])
  const text = example.lines.join('\n')
  for (const words of [
    'Rejected (budget_exceeded)',
    'Rejected (approval_required)',
    'A person approved this.',
    'Approved, and the amount is taken from the budget.',
    'The shop delivers tides.',
    '[repeated] This purchase was approved before',
    'budget: spent 20 (of it held 0), left 30',
  ]) {
    expect(text).toContain(words)
  }
  expect(text.match(/settled \(approved\)/g)).toHaveLength(1)
})

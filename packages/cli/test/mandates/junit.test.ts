import type { Simulation } from '@purser/sdk'
import { expect, test } from 'vitest'
import { toCaseResult } from '../../src/mandates/case-result.ts'
import type { Expectation } from '../../src/mandates/file-mandate.ts'
import { toJunit } from '../../src/mandates/junit.ts'

function judged(expect: Expectation, name = 'a case') {
  const spend = { name, line: 7, amount: 5, vendor: 'v.com', category: 'llm', expect }
  const evaluationDetails = {
    code: 'amount_above_max',
    firstFailure: 'amount',
    message: '50 USD is above <20> & more\u0007.',
  }
  // Only the fields that a result is made of.
  const simulation = { decision: 'rejected', flags: ['new_vendor'], evaluationDetails }
  return toCaseResult(spend, simulation as unknown as Simulation, 1_500)
}

test.each<[Expectation, readonly string[]]>([
  [{ decision: 'rejected' }, []],
  [{ decision: 'rejected', code: 'amount_above_max', rule: 'amount', flags: ['new_vendor'] }, []],
  [{ decision: 'approved' }, ['expected the decision approved, but it was rejected']],
  [
    { decision: 'rejected', code: 'budget_exceeded', rule: 'budget', flags: [] },
    [
      'expected the code budget_exceeded, but it was amount_above_max',
      'expected the rule budget, but it was amount',
      'expected the flags none, but it was new_vendor',
    ],
  ],
])('a case compares the fields that it names: %j', (expectation, failures) => {
  expect(judged(expectation)).toMatchObject({ passed: failures.length === 0, failures })
})

test('JUnit output has a suite for each mandate, and escapes texts', () => {
  const cases = [judged({ decision: 'rejected' }), judged({ decision: 'approved' }, '"x" <y>')]
  const xml = toJunit([{ file: 'a.yaml', agent: 'Research & co', name: 'Budget', cases }])
  expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="purser mandates test" tests="2" failures="1" errors="0" time="3.000">
  <testsuite name="Research &amp; co / Budget" file="a.yaml" tests="2" failures="1" errors="0" time="3.000">
    <testcase classname="Research &amp; co / Budget" name="a case" file="a.yaml" line="7" time="1.500"/>
    <testcase classname="Research &amp; co / Budget" name="&quot;x&quot; &lt;y&gt;" file="a.yaml" line="7" time="1.500">
      <failure message="expected the decision approved, but it was rejected">a.yaml:7
expected the decision approved, but it was rejected
50 USD is above &lt;20&gt; &amp; more?.</failure>
    </testcase>
  </testsuite>
</testsuites>
`)
})

import { expect, test } from 'vitest'
import { toPlanJson, toPlanText } from '../../src/mandates/plan-text.ts'
import { mandateOf, planFor } from './objects.ts'

test('the plan shows the terms that come into force with a draft and that no file names', () => {
  const draft = mandateOf({ status: 'draft', version: 1, budgetTotal: 1_000_000 })
  const { plan } = planFor('{agent: research, name: Budget}', { mandates: [draft] })
  expect(toPlanText(plan)).toContain('\n    = budgetTotal: 1000000\n')
  expect(toPlanText(plan)).toContain('\n    = rules: [{"type":"amount","id":"amount",')
  expect(toPlanJson(plan)).toMatchObject({ mandates: [{ unnamed: { budgetTotal: 1_000_000 } }] })
  const named = planFor('{agent: research, name: Budget, budgetTotal: 1000000}', {
    mandates: [draft],
  })
  expect(toPlanText(named.plan)).not.toContain('= budgetTotal')
})

import { expect, test } from 'vitest'
import type { RuleInput } from '../../../../src/core/rules/rule-set.ts'
import { createDesk } from '../../desk.ts'

test('the finding of an approval rule says which spends need an approval', () => {
  const findingOf = (rule: RuleInput) => createDesk({ rules: [rule] }).ask().details.rules[0]
  expect(findingOf({ type: 'approval' })).toMatchObject({
    limit: 0,
    message: 'Every spend needs the approval of a person.',
  })
  expect(findingOf({ type: 'approval', above: 5 })).toMatchObject({
    limit: 5,
    message: 'A spend of more than 5 USD needs the approval of a person.',
  })
})

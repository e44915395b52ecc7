import { expect, test } from 'vitest'
import type { RuleInput } from '../../../../src/core/rules/rule-set.ts'
import { createDesk } from '../../desk.ts'

test.each<[RuleInput, string]>([
  [{ type: 'paths', allow: ['x402', 'card'] }, 'x402, card'],
  [{ type: 'vendors', allow: ['a.com', '*.b.com'], block: ['c.b.com'] }, 'a.com, *.b.com'],
  [{ type: 'vendors', block: ['c.com', 'd.com'] }, 'not c.com, d.com'],
  [{ type: 'categories', allow: ['search', 'data'], block: ['games'] }, 'search, data'],
  [{ type: 'categories', block: ['games'] }, 'not games'],
  [
    {
      type: 'schedule',
      windows: [
        { days: ['mon', 'thu'], from: '07:00', to: '19:00' },
        { from: '20:00', to: '21:00' },
      ],
    },
    'mon thu 07:00-19:00, 20:00-21:00',
  ],
])('the finding of %j shows the list %s', (rule, limit) => {
  expect(createDesk({ rules: [rule] }).ask().details.rules[0]).toMatchObject({ limit })
})

import { Type } from 'typebox'
import { defineRule } from '../define-rule.ts'
import { compileExpression } from '../expression/compile.ts'
import { expressionCodes, judgeExpression } from '../expression/judge.ts'
import { EXPRESSION_LENGTH_MAX } from '../expression/vocabulary.ts'

/**
 * The escape hatch for conditions that the typed rules cannot express. Expressions are not compared
 * when a mandate is narrowed: the expressions of all parents are evaluated as well.
 */
export const expression = defineRule({
  type: 'expression',
  title: 'ExpressionRule',
  summary: 'Passes if a CEL expression about the spend is true.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    expr: Type.String({
      minLength: 1,
      maxLength: EXPRESSION_LENGTH_MAX,
      description: "A CEL expression that is true or false. Write amounts as money('20').",
      examples: ["!(category == 'search' && amount > money('20'))"],
    }),
  },

  codes: expressionCodes,
  examples: [
    {
      says: 'No search may cost more than 20.',
      rule: { expr: "!(category == 'search' && amount > money('20'))" },
    },
    {
      says: 'On weekends, at most 50 a day, and only at vendors that have been known for a week.',
      rule: {
        expr: "!(local.weekday in ['sat', 'sun']) || (spent.day + amount <= money('50') && vendor_first_seen_days >= 7)",
      },
    },
  ],

  notes: [
    'When a card asks to increase an approved purchase (an incremental authorization), `amount` is the new total, and `spent` and `count` leave out the part that was already approved.',
  ],

  inspect({ expr }) {
    const compiled = compileExpression(expr)
    if (compiled.ok) return []
    return [{ path: '/expr', code: 'invalid_expression', message: `is refused: ${compiled.error}` }]
  },

  cost({ expr }) {
    const compiled = compileExpression(expr)
    return compiled.ok ? compiled.cost : 0
  },

  judge: ({ expr }, mandate) => judgeExpression(expr, mandate),
})

import { Type } from 'typebox'
import { PATH_MEANINGS, PATH_NAMES } from '../../path.ts'
import { defineCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { outsideParent } from '../narrowing.ts'
import { fail, pass } from '../verdict.ts'

const codes = defineCodes({
  path_not_allowed: {
    meaning: 'The mandate does not allow this payment path.',
    action: 'Use one of the payment paths in the `limit` of the finding.',
    repeat: 'no',
  },
})

/** Restricts the payment paths, so that an agent meant for one path is useless on the others. */
export const paths = defineRule({
  type: 'paths',
  title: 'PathsRule',
  summary: 'Restricts which payment paths a spend may use.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    allow: Type.Array(Type.Enum([...PATH_NAMES], { type: 'string' }), {
      minItems: 1,
      maxItems: PATH_NAMES.length,
      uniqueItems: true,
      description: 'The payment paths that pass.',
      examples: [PATH_NAMES.slice(0, 2)],
    }),
  },

  codes,
  examples: [
    {
      says: 'Only direct spends and x402 payments.',
      rule: { allow: ['evaluate', 'x402'] },
    },
  ],

  notes: [
    `The paths: ${PATH_NAMES.map((name) => `\`${name}\` (${PATH_MEANINGS[name]})`).join(', ')}.`,
  ],
  narrower: '`allow` may list only paths that every `allow` of the parents lists.',

  // The schema is enough: its list does not contain an unknown path.
  inspect: () => [],

  judge({ allow }) {
    const limit = allow.join(', ')
    return {
      judgesChecks: true,
      check({ spend: { path } }) {
        if (allow.includes(path)) return pass(path, limit, 'The payment path is allowed.')
        const message = `The payment path ${path} is not allowed. Allowed: ${limit}.`
        return fail(codes.path_not_allowed, path, limit, message)
      },
    }
  },

  widerThan({ allow }, parents) {
    const stated = parents.map((parent) => parent.allow)
    return outsideParent('/allow', allow, stated, (outer, inner) => outer === inner)
  },
})

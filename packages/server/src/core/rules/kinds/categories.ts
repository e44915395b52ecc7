import { Type } from 'typebox'
import { toCategory } from '../../category.ts'
import { mccOf } from '../../spend.ts'
import { defineCodes, sharedCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { outsideParent, summaryOf } from '../narrowing.ts'
import {
  CATEGORY_FORM_NOTE,
  categoriesSetting,
  ENTRIES_MAX,
  inspectCategories,
} from '../settings.ts'
import { fail, pass } from '../verdict.ts'

const codes = {
  category_blocked: sharedCodes.category_blocked,
  ...defineCodes({
    category_not_allowed: {
      meaning: 'The mandate does not allow this category.',
      action:
        'Buy only in the categories that the mandate allows; the `limit` of the finding lists the first of them.',
      repeat: 'no',
    },
  }),
  category_required: sharedCodes.category_required,
}

/** Restricts the categories of spends. A block wins over an allow, as with vendors. */
export const categories = defineRule({
  type: 'categories',
  title: 'CategoriesRule',
  summary: 'Restricts which categories a spend may have.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    allow: Type.Optional(
      categoriesSetting(
        'Only these categories pass. Without it, every category that is not blocked passes.',
        'llm',
      ),
    ),
    block: Type.Optional(
      categoriesSetting('These categories fail, even if they are also allowed.', 'gambling'),
    ),
  },

  codes,
  examples: [
    { says: 'Only models and searches.', rule: { allow: ['llm', 'search'] } },
    { says: 'Everything except gambling.', rule: { block: ['gambling'] } },
  ],

  notes: [
    `At least one of \`allow\` and \`block\` is required, each with at most ${ENTRIES_MAX} entries.`,
    CATEGORY_FORM_NOTE,
    'A spend without a category fails, even if there is only a block list.',
    'On the card path, an entry can also be a merchant category code: `mcc:` and four digits, such as `mcc:5734`. The spend fails if its category or its code is blocked, and passes an allow list that has its category or its code.',
    'Cards have an additional check: a purchase that the card network classifies as `cash_equivalent`, `gambling` or `adult` fails with a `high_risk` finding, unless the mandate and each parent mandate have a rule whose `allow` names exactly that category or code.',
  ],
  narrower:
    'every entry of `allow` must be in every `allow` of the parents. Block lists are not compared.',

  inspect({ allow, block }) {
    if (!allow && !block) {
      return [{ path: '', code: 'incomplete_rule', message: 'must state `allow`, `block` or both' }]
    }
    return [...inspectCategories('/allow', allow), ...inspectCategories('/block', block)]
  },

  normalize(settings) {
    const { allow, block } = settings
    return {
      ...settings,
      ...(allow && { allow: toCategories(allow) }),
      ...(block && { block: toCategories(block) }),
    }
  },

  // A spend without a category fails, even if there is only a block list: it may be for anything.
  judge({ allow, block = [] }) {
    const allowed = allow && new Set(allow)
    const blocked = new Set(block)
    const limit = allow ? summaryOf(allow) : `not ${summaryOf(block)}`
    return {
      judgesChecks: true,
      check({ spend }) {
        const { category } = spend
        if (category === null) {
          const message = 'The spend has no category, but the mandate restricts categories.'
          return fail(codes.category_required, null, limit, message)
        }
        const mcc = mccOf(spend)
        const bad = whichOf(blocked, category, mcc)
        if (bad !== undefined) {
          const message = `Spends on ${bad} are blocked.`
          return fail(codes.category_blocked, bad, `not ${bad}`, message)
        }
        const good = allowed ? whichOf(allowed, category, mcc) : category
        if (good !== undefined) return pass(good, limit, 'The category is allowed.')
        const message = `Spends on ${category} are not allowed. Allowed: ${limit}.`
        return fail(codes.category_not_allowed, category, limit, message)
      },
    }
  },

  widerThan({ allow }, parents) {
    const stated = parents.map((parent) => parent.allow)
    return outsideParent('/allow', allow, stated, (outer, inner) => outer === inner)
  },
})

/** The first of the two that is in the set. */
function whichOf(
  set: ReadonlySet<string>,
  category: string,
  mcc: string | undefined,
): string | undefined {
  if (set.has(category)) return category
  return mcc !== undefined && set.has(mcc) ? mcc : undefined
}

function toCategories(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => toCategory(text) ?? text))]
}

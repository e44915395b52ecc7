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
      meaning: 'The category is not among those that the mandate allows.',
      action:
        'Buy only what the mandate is for; `limit` of the finding names the first of its categories.',
      repeat: 'no',
    },
  }),
  category_required: sharedCodes.category_required,
}

/** Names what may be bought. A block wins over an allow, as with vendors. */
export const categories = defineRule({
  type: 'categories',
  title: 'CategoriesRule',
  summary: 'Restricts the categories a spend may be for.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    allow: Type.Optional(
      categoriesSetting('Only these categories pass. Without it, all that are not blocked.', 'llm'),
    ),
    block: Type.Optional(
      categoriesSetting('These categories fail, even if they are allowed.', 'gambling'),
    ),
  },

  codes,
  examples: [
    { says: 'Nothing but models and searches.', rule: { allow: ['llm', 'search'] } },
    { says: 'Anything but gambling.', rule: { block: ['gambling'] } },
  ],

  notes: [
    `It states at least one of \`allow\` and \`block\`, each with at most ${ENTRIES_MAX} entries.`,
    CATEGORY_FORM_NOTE,
    'A spend without a category fails, even if there is only a block list.',
    'On the card path, `mcc:` and the four digits of a merchant category code is an entry too, such as `mcc:5734`: it is compared beside the category. A block of either wins, and an allow of either is enough.',
    'Cards have a check of their own: what their network calls `cash_equivalent`, `gambling` or `adult` fails with a finding `high_risk`, unless the mandate and each above it has a rule whose `allow` names that very category or code.',
  ],
  narrower: 'every entry of `allow` is in every `allow` above. Block lists are not compared.',

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
          const message = 'The spend must say its category, because categories are restricted.'
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
        const message = `Spends on ${category} are not allowed; allowed are: ${limit}.`
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

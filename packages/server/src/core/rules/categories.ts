import { Type } from 'typebox'
import { toCategory } from '../category.ts'
import { defineRule } from '../rule.ts'
import { outsideParent } from '../rule-narrowing.ts'
import { categoriesSetting, inspectCategories } from '../rule-setting.ts'

/** Names what may be bought. Block beats allow, as with vendors. */
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

  widerThan({ allow }, parents) {
    const stated = parents.map((parent) => parent.allow)
    return outsideParent('/allow', allow, stated, (outer, inner) => outer === inner)
  },
})

function toCategories(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => toCategory(text) ?? text))]
}

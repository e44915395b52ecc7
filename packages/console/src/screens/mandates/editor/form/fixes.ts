import type { MandateWarning } from '@purser/sdk'
import { moneyValue } from '../../../../ui/money-text.ts'
import { formatAmount } from '../../../../words/money.ts'
import { amountText, type RuleForm } from './rule-form.ts'

/** A change that removes the cause of a warning. */
export interface Fix {
  readonly label: string
  readonly rules: readonly RuleForm[]
}

interface Place {
  readonly rules: readonly RuleForm[]
  readonly budgetTotal: number
  readonly currency: string
}

/** The change to offer below a warning. Undefined if only a person can know the intended value. */
export function fixOf(warning: MandateWarning, place: Place): Fix | undefined {
  const [first] = warning.ruleIds
  const rule = place.rules.find(({ id }) => id === first)
  if (!rule) return undefined
  switch (warning.code) {
    case 'approval_never_asked':
      return askLower(rule, warning, place)
    case 'no_amount_allowed':
    case 'minimum_above_budget':
      return change('Remove the minimum', rule, place, { texts: { ...rule.texts, min: '' } })
    case 'limit_above_budget':
      return removeRule(rule, place)
    case 'new_vendors_rejected':
      return change('Require approval instead', rule, place, { effect: 'require_approval' })
    case 'vendor_allowed_and_blocked':
    case 'category_allowed_and_blocked':
      return unblock(warning, place)
    default:
      return undefined
  }
}

/** Two thirds of the amount above which every spend is rejected, rounded to a plain figure. */
function askLower(rule: RuleForm, { ruleIds }: MandateWarning, place: Place): Fix | undefined {
  const bound = place.rules.find(({ id }) => id === ruleIds[1])
  const most = bound ? Number(moneyValue(bound.texts['max'] ?? '') ?? 0) : place.budgetTotal
  const above = plainBelow(most)
  if (above === undefined) return undefined
  const label = `Require approval above ${formatAmount(above, place.currency)} instead`
  return change(label, rule, place, { texts: { ...rule.texts, above: amountText(above) } })
}

/** 300 → 200, 25 → 16, 0.9 → 0.6: two digits of two thirds. */
function plainBelow(most: number): number | undefined {
  if (!(most > 0)) return undefined
  const target = (most * 2) / 3
  const unit = 10 ** (Math.floor(Math.log10(target)) - 1)
  const rounded = Number((Math.floor(target / unit + 1e-9) * unit).toFixed(6))
  return rounded > 0 ? rounded : undefined
}

function removeRule(rule: RuleForm, { rules }: Place): Fix | undefined {
  // A limit on the number of spends still has an effect.
  if (rule.texts['maxCount']) return undefined
  return { label: 'Remove the rule', rules: rules.filter(({ id }) => id !== rule.id) }
}

/** Only entries that stand in both lists literally: a wildcard needs a person. */
function unblock({ ruleIds }: MandateWarning, { rules }: Place): Fix | undefined {
  const named = rules.filter(({ id }) => ruleIds.includes(id))
  const blocked = new Set(named.flatMap(({ lists }) => lists['block'] ?? []))
  const both = named.flatMap(({ lists }) => lists['allow'] ?? []).filter((one) => blocked.has(one))
  if (both.length === 0) return undefined
  return {
    label: 'Remove them from the allow list',
    rules: rules.map((rule) =>
      ruleIds.includes(rule.id)
        ? {
            ...rule,
            lists: {
              ...rule.lists,
              allow: (rule.lists['allow'] ?? []).filter((one) => !both.includes(one)),
            },
          }
        : rule,
    ),
  }
}

function change(label: string, rule: RuleForm, { rules }: Place, to: Partial<RuleForm>): Fix {
  return { label, rules: rules.map((one) => (one.id === rule.id ? { ...one, ...to } : one)) }
}

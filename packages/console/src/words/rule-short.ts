import type { RuleInput } from '@purser/sdk'
import { formatMoney } from './money.ts'
import { windowText } from './schedule-words.ts'
import { countOf } from './text.ts'
import { durationWords, limitName, perWindow } from './windows.ts'
import { PATH_WORDS, ruleName } from './words.ts'

/** The name of a rule: "Per-spend limit", "Daily limit", "Vendors". */
export function ruleTitle(rule: RuleInput): string {
  if (rule.type === 'limit') return limitName(rule.window)
  if (rule.type === 'amount' && rule.max === undefined && rule.min !== undefined) {
    return 'Minimum amount'
  }
  return ruleName(rule.type)
}

/** The settings of a rule in a few words, for a cell: "250.00 USD", "12 hosts". */
export function ruleShort(rule: RuleInput, currency: string): string {
  switch (rule.type) {
    case 'amount':
      return amountShort(rule, currency)
    case 'limit':
      return limitShort(rule, currency)
    case 'vendors':
      return listShort(rule, 'host')
    case 'categories':
      return listShort(rule, 'category', 'categories')
    case 'paths':
      return rule.allow.map((path) => PATH_WORDS[path]).join(', ')
    case 'schedule':
      return [...rule.windows.map(windowText), ...(rule.timezone ? [rule.timezone] : [])].join('; ')
    case 'duplicate':
      return [durationWords(rule.window), ...(rule.match ? [rule.match.join(', ')] : [])].join(', ')
    case 'new_vendor':
      return 'first spend at a vendor'
    case 'price_drift':
      return `at most ${rule.maxIncreasePercent} %`
    case 'expression':
      return rule.expr
    case 'approval':
      return approvalShort(rule, currency)
  }
}

type RuleOf<Type extends RuleInput['type']> = Extract<RuleInput, { readonly type: Type }>

function amountShort({ min, max }: RuleOf<'amount'>, currency: string): string {
  if (min !== undefined && max !== undefined) {
    return `${formatMoney(min, currency)} to ${formatMoney(max, currency)}`
  }
  if (max !== undefined) return formatMoney(max, currency)
  return min === undefined ? 'no amount' : `at least ${formatMoney(min, currency)}`
}

function limitShort(rule: RuleOf<'limit'>, currency: string): string {
  const { maxAmount, maxCount, window, groupBy, match } = rule
  const bounds = [
    ...(maxAmount === undefined ? [] : [formatMoney(maxAmount, currency)]),
    ...(maxCount === undefined ? [] : [countOf(maxCount, 'spend')]),
  ]
  const about = [
    ...(groupBy === undefined ? [] : [`per ${groupBy}`]),
    ...(match?.vendor === undefined ? [] : [`at ${match.vendor}`]),
    ...(match?.category === undefined ? [] : [`for ${match.category}`]),
    ...(match?.path === undefined ? [] : [`by ${PATH_WORDS[match.path]}`]),
  ]
  return [`${bounds.join(' and ')} ${perWindow(window)}`, ...about].join(', ')
}

function listShort(
  { allow, block }: RuleOf<'vendors' | 'categories'>,
  one: string,
  many?: string,
): string {
  const texts = [
    ...(allow === undefined ? [] : [countOf(allow.length, one, many)]),
    ...(block === undefined ? [] : [`${countOf(block.length, one, many)} blocked`]),
  ]
  return texts.join(', ')
}

function approvalShort({ above, expiresIn = '30m' }: RuleOf<'approval'>, currency: string): string {
  const which = above === undefined ? 'every spend' : `above ${formatMoney(above, currency)}`
  return `${which}, ${durationWords(expiresIn)}`
}

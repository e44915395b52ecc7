import type { Effect, Mandate, Rule } from '@purser/sdk'
import { PER_PERIOD } from '../../words/budget.ts'
import { showDays } from '../../words/hours.ts'
import { formatAmount, formatMoney } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import { formatDay } from '../../words/time.ts'
import { durationWords, perWindow } from '../../words/windows.ts'
import { PATH_WORDS } from '../../words/words.ts'

/** A rule as a sentence, and what happens if a spend does not keep it. */
export interface RuleSentence {
  readonly id: string
  readonly text: string
  readonly effect: Effect
}

/** "3,000.00 USD a month". */
export function budgetWords({ budgetTotal, budgetPeriod, currency }: Mandate): string {
  const per = PER_PERIOD[budgetPeriod]
  return `${formatMoney(budgetTotal, currency)}${per ? ` ${per}` : ' in total'}`
}

/** ", until 31 March 2027", or nothing. */
export function untilWords({ validUntil }: Mandate, timezone: string): string {
  return validUntil === null
    ? ''
    : `, until ${formatDay(new Date(validUntil), timezone, new Date(0))}`
}

/** The rules in words. The editor's words are more exact; these fit into a card. */
export function ruleSentences({ rules, currency }: Mandate): readonly RuleSentence[] {
  return rules.map((rule) => ({
    ...{ id: rule.id, text: ruleText(rule, currency) },
    effect: rule.effect as Effect,
  }))
}

function ruleText(rule: Rule, currency: string): string {
  const money = (value: number) => formatAmount(value, currency)
  switch (rule.type) {
    case 'amount':
      return [
        rule.max === undefined ? '' : `at most ${money(rule.max)}`,
        rule.min === undefined ? '' : `at least ${money(rule.min)}`,
      ]
        .filter(Boolean)
        .join(', ')
        .replace(/^a/, 'A')
        .concat(' per spend.')
    case 'limit':
      return `At most ${[
        rule.maxAmount === undefined ? '' : money(rule.maxAmount),
        rule.maxCount === undefined ? '' : countOf(rule.maxCount, 'spend'),
      ]
        .filter(Boolean)
        .join(' and ')} ${perWindow(rule.window)}.`
    case 'vendors':
      return listText('Only at', 'Never at', rule)
    case 'categories':
      return listText('Categories:', 'No category of', rule)
    case 'paths':
      return `Paid by ${rule.allow.map((path) => PATH_WORDS[path]).join(', ')}.`
    case 'schedule':
      return `Only ${rule.windows.map(windowText).join(', ')}.`
    case 'duplicate':
      return `No duplicate within ${durationWords(rule.window)}.`
    case 'new_vendor':
      return 'Only at vendors that it has paid before.'
    case 'price_drift':
      return `At most ${rule.maxIncreasePercent} % above the last price.`
    case 'expression':
      return `Custom rule: ${rule.expr}`
    case 'approval':
      return rule.above === undefined || rule.above === 0
        ? 'Every spend needs approval.'
        : `Above ${money(rule.above)} a person must approve.`
  }
}

interface Lists {
  readonly allow?: readonly string[] | undefined
  readonly block?: readonly string[] | undefined
}

function listText(only: string, never: string, { allow, block }: Lists): string {
  const parts = [
    allow === undefined ? '' : `${only} ${firstOf(allow)}.`,
    block === undefined ? '' : `${never} ${firstOf(block)}.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const SHOWN = 3

function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(', ')
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown
}

function windowText(window: {
  readonly days?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}): string {
  const { days, from = '00:00', to = '24:00' } = window
  return `${days ? `${showDays(days)} ` : ''}${from}–${to}`
}

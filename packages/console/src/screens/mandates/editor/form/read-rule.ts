import type { DuplicateField, LimitMatch, PathName, RuleInput } from '@purser/sdk'
import { moneyProblem, moneyValue } from '../../../../ui/money-text.ts'
import type { RuleForm } from './rule-form.ts'

/** The rule of a form, or the sentence for each field that is wrong. */
export type ReadRule =
  | { readonly rule: RuleInput; readonly problems: null }
  | { readonly rule: null; readonly problems: Readonly<Record<string, string>> }

type Problems = Record<string, string>

const CALENDAR = new Set(['hour', 'day', 'week', 'month', 'period'])
const ROLLING = /^[1-9]\d{0,6}[smhd]$/
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

/** Reads a form. A field that cannot be read is a problem, never an absent setting. */
export function readRule(form: RuleForm): ReadRule {
  const problems: Problems = {}
  const rule = { ...settingsOf(form, problems), id: form.id, effect: form.effect } as RuleInput
  return Object.keys(problems).length === 0 ? { rule, problems: null } : { rule: null, problems }
}

function settingsOf(form: RuleForm, problems: Problems): object {
  const { type, texts, lists } = form
  switch (type) {
    case 'amount':
      return { type, ...amountSettings(texts, problems) }
    case 'limit':
      return { type, ...limitSettings(texts, problems) }
    case 'vendors':
      return { type, ...listSettings(lists, 'Add a host to allow or block.', problems) }
    case 'categories':
      return { type, ...listSettings(lists, 'Add a category to allow or block.', problems) }
    case 'paths':
      return { type, allow: atLeastOne(lists['allow'], 'Choose a payment path.', problems) }
    case 'schedule':
      return { type, ...scheduleSettings(form, problems) }
    case 'duplicate':
      return { type, ...duplicateSettings(form, problems) }
    case 'new_vendor':
      return { type }
    case 'price_drift':
      return { type, maxIncreasePercent: percent(texts['maxIncreasePercent'] ?? '', problems) }
    case 'expression':
      return { type, expr: required(texts['expr'] ?? '', problems) }
    case 'approval':
      return { type, ...approvalSettings(texts, problems) }
  }
}

type Texts = RuleForm['texts']

function amountSettings(texts: Texts, problems: Problems) {
  const min = money(texts, 'min', problems)
  const max = money(texts, 'max', problems)
  if (min === undefined && max === undefined) problems['max'] ??= 'Enter an amount.'
  return { ...given({ min }), ...given({ max }) }
}

function limitSettings(texts: Texts, problems: Problems) {
  const maxAmount = money(texts, 'maxAmount', problems)
  const maxCount = count(texts['maxCount'] ?? '', problems)
  if (maxAmount === undefined && maxCount === undefined) {
    problems['maxAmount'] ??= 'Enter an amount or a number of spends.'
  }
  const window = texts['window'] ?? ''
  if (!(CALENDAR.has(window) || ROLLING.test(window))) problems['window'] = 'Enter a whole number.'
  const match: LimitMatch = {
    ...given({ vendor: texts['matchVendor']?.trim() || undefined }),
    ...given({ category: texts['matchCategory']?.trim() || undefined }),
    ...given({ path: (texts['matchPath'] || undefined) as PathName | undefined }),
  }
  return {
    ...given({ maxAmount }),
    ...given({ maxCount }),
    window,
    ...given({ groupBy: texts['groupBy'] || undefined }),
    ...(Object.keys(match).length > 0 ? { match } : {}),
  }
}

function listSettings(lists: RuleForm['lists'], sentence: string, problems: Problems) {
  const { allow = [], block = [] } = lists
  if (allow.length === 0 && block.length === 0) problems['allow'] = sentence
  return { ...(allow.length > 0 ? { allow } : {}), ...(block.length > 0 ? { block } : {}) }
}

function atLeastOne(list: readonly string[] = [], sentence: string, problems: Problems) {
  if (list.length === 0) problems['allow'] = sentence
  return list
}

function scheduleSettings({ windows, texts }: RuleForm, problems: Problems) {
  if (windows.length === 0) problems['windows'] = 'Add the hours in which spends pass.'
  const isWrong = windows.some(({ from, to }) => !(CLOCK.test(from) && CLOCK.test(to)))
  if (isWrong) problems['windows'] = 'Enter both times, for example 07:00 and 19:00.'
  return {
    windows: windows.map(({ days, from, to }) => ({
      ...(days.length > 0 ? { days } : {}),
      from,
      to,
    })),
    ...given({ timezone: texts['timezone'] || undefined }),
  }
}

function duplicateSettings({ texts, lists }: RuleForm, problems: Problems) {
  const window = texts['window'] ?? ''
  if (!ROLLING.test(window)) problems['window'] = 'Enter a whole number.'
  const match = (lists['match'] ?? []) as readonly DuplicateField[]
  return { window, ...(match.length > 0 ? { match } : {}) }
}

function approvalSettings(texts: Texts, problems: Problems) {
  const above = money(texts, 'above', problems)
  const expiresIn = texts['expiresIn'] ?? ''
  if (expiresIn !== '' && !ROLLING.test(expiresIn)) problems['expiresIn'] = 'Enter a whole number.'
  return { ...given({ above }), ...given({ expiresIn: expiresIn || undefined }) }
}

/** The amount of a text; undefined if the field is empty. Zero passes here: the gateway judges it. */
function money(texts: Texts, field: string, problems: Problems): number | undefined {
  const text = (texts[field] ?? '').trim()
  if (text === '') return undefined
  const value = moneyValue(text)
  if (value !== null) return Number(value)
  problems[field] = moneyProblem(text) ?? 'Enter an amount, for example 250.00.'
  return undefined
}

function count(text: string, problems: Problems): number | undefined {
  if (text === '') return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  problems['maxCount'] = 'Enter a whole number of 1 or more.'
  return undefined
}

function percent(text: string, problems: Problems): number {
  if (/^\d{1,7}(\.\d{1,6})?$/.test(text.trim())) return Number(text)
  problems['maxIncreasePercent'] = 'Enter a number of 0 or more.'
  return 0
}

function required(text: string, problems: Problems): string {
  if (text.trim() === '') problems['expr'] = 'Enter an expression.'
  return text.trim()
}

/** Leaves out undefined values, so that a setting is either there or not. */
function given<T extends object>(setting: T): Partial<T> {
  const [value] = Object.values(setting)
  return value === undefined ? {} : setting
}

import { type TSchema, Type } from 'typebox'
import type { FieldError } from '../../base/errors.ts'
import { toCategory } from '../category.ts'
import { isMoney, MONEY_MAX, toExactUnits, whyNoMoney } from '../money.ts'
import { parseDuration } from '../time/instant.ts'
import { toVendorPattern } from '../vendor.ts'

// The settings that several rules share: their schemas, the checks that a schema cannot express,
// and what the documents say about them.

/** A longer list belongs in the vendor directory; this bound keeps a mandate readable. */
export const ENTRIES_MAX = 500

export const VENDOR_FORM_NOTE =
  'A vendor is a host name or an http(s) URL, of which only the host is kept, in lower case and without its port. `*.` and a domain name means its sub-domains at any depth, and not the domain itself. A wildcard over a name below which anybody can register, such as `*.com`, is refused. An IP address can only be listed exactly.'

export const CATEGORY_FORM_NOTE =
  'A category has at most 64 letters, digits and the characters `_ . : -`, and begins with a letter or digit. Upper and lower case are the same.'

export const COUNTING_NOTE =
  'It knows the past: what was spent under the mandate, and under those below it, before the mandate had the rule counts as if the rule had been there. Where that is too much to be counted at once, the answer to the change warns with `past_being_counted`, and until it is counted the rule fails with the code of that name.'

export const HISTORY_NOTE =
  'It knows the past: when a mandate with a rule `new_vendor` or `price_drift`, or with an expression with `vendor_first_seen_days`, comes to govern an agent, the vendors that the agent paid before are known, with the price that it paid last. Of each agent the newest 5,000 transactions are looked at, fewer where many agents are concerned. Where there are more, the answer to the change warns with `vendor_history_incomplete`, and until all are looked at the rule fails with the code of that name for every vendor that the agent has not paid in those; vendors that it has are judged as ever.'

export const WHOLE_PURCHASE_NOTE =
  'When a card asks for more of a purchase that is already approved, the rule judges what the whole purchase comes to.'

export function moneySetting(description: string) {
  return Type.Number({
    exclusiveMinimum: 0,
    maximum: MONEY_MAX,
    description: `${description} In currency units, with at most six decimals.`,
    examples: [25],
  })
}

/** Whether a setting is one of these, so that others can write it as an amount. */
export function isMoneySetting(schema: TSchema): boolean {
  return 'maximum' in schema && schema.maximum === MONEY_MAX
}

export function durationSetting(description: string, example: string) {
  return Type.String({
    pattern: '^[1-9][0-9]{0,6}[smhd]$',
    description,
    examples: [example],
  })
}

export function vendorsSetting(description: string, example: string) {
  return listSetting(description, { minLength: 1, maxLength: 2_048 }, example)
}

export function categoriesSetting(description: string, example: string) {
  return listSetting(description, { minLength: 1, maxLength: 64 }, example)
}

export function inspectMoney(path: string, units: number | undefined): FieldError[] {
  if (units === undefined || isMoney(units)) return []
  return [{ path, code: 'invalid_amount', message: whyNoMoney(units) }]
}

/**
 * The settings with these amounts as the six-decimal numbers that they mean, because amounts of
 * rules are shown, and compared with each other, as numbers.
 */
export function withExactAmounts<Settings extends object>(
  settings: Settings,
  names: readonly (keyof Settings)[],
): Settings {
  const exact = names.flatMap((name) => {
    const units = settings[name]
    return typeof units === 'number' ? [[name, toExactUnits(units)]] : []
  })
  return { ...settings, ...Object.fromEntries(exact) }
}

/** The bounds are passed as texts, so that the message shows them the way a person writes them. */
export function inspectDuration(
  path: string,
  text: string,
  min: string,
  max: string,
): FieldError[] {
  const ms = parseDuration(text)
  const inside = ms !== undefined && ms >= toMs(min) && ms <= toMs(max)
  if (inside) return []
  return [{ path, code: 'out_of_range', message: `must be between ${min} and ${max}` }]
}

export function inspectVendors(path: string, patterns: readonly string[] = []): FieldError[] {
  return inspectEntries(path, patterns, (entryPath, text) => inspectVendor(entryPath, text))
}

export function inspectVendor(path: string, text: string): FieldError[] {
  const result = toVendorPattern(text)
  return 'error' in result ? [{ path, code: 'invalid_vendor', message: result.error }] : []
}

export function inspectCategories(path: string, categories: readonly string[] = []): FieldError[] {
  return inspectEntries(path, categories, (entryPath, text) => inspectCategory(entryPath, text))
}

export function inspectCategory(path: string, text: string): FieldError[] {
  if (toCategory(text) !== undefined) return []
  const message = 'must start with a letter or digit, followed by letters, digits and _ . : -'
  return [{ path, code: 'invalid_category', message }]
}

function listSetting(
  description: string,
  entry: { readonly minLength: number; readonly maxLength: number },
  example: string,
) {
  return Type.Array(Type.String(entry), {
    minItems: 1,
    maxItems: ENTRIES_MAX,
    description,
    examples: [[example]],
  })
}

function inspectEntries(
  path: string,
  entries: readonly string[],
  inspectEntry: (path: string, text: string) => FieldError[],
): FieldError[] {
  if (entries.length > ENTRIES_MAX) {
    return [{ path, code: 'too_many', message: `must have at most ${ENTRIES_MAX} entries` }]
  }
  return entries.flatMap((text, index) => inspectEntry(`${path}/${index}`, text))
}

function toMs(duration: string): number {
  return parseDuration(duration) ?? Number.NaN
}

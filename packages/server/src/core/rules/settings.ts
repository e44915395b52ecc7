import { type TSchema, Type } from 'typebox'
import type { FieldError } from '../../base/errors.ts'
import { toCategory } from '../category.ts'
import { isMoney, MONEY_MAX, toExactUnits, whyNoMoney } from '../money.ts'
import { parseDuration } from '../time/instant.ts'
import { toVendorPattern } from '../vendor.ts'

// The settings that several rules share: their schemas, the checks that a schema cannot express, and
// their texts for the documents.

/** A longer list belongs in the vendor directory; this bound keeps a mandate readable. */
export const ENTRIES_MAX = 500

export const VENDOR_FORM_NOTE =
  'A vendor is a host name or an http(s) URL. Only the host of a URL is kept, in lower case and without the port. `*.` and a domain name matches all subdomains at any depth, but not the domain itself. A wildcard over a public suffix, such as `*.com`, is refused, because anyone can register names there. An IP address must be listed exactly.'

export const CATEGORY_FORM_NOTE =
  'A category has at most 64 letters, digits and the characters `_ . : -`, and begins with a letter or digit. Case does not matter.'

export const COUNTING_NOTE =
  'Spends from before the rule was added count too, under the mandate and its child mandates. If there are too many to count at once, the response to the change warns with `past_being_counted`. Until they are counted, the rule fails with the code of the same name.'

export const HISTORY_NOTE =
  'The rule knows earlier payments. When a mandate with a `new_vendor` or `price_drift` rule, or with an expression that uses `vendor_first_seen_days`, starts to apply to an agent, the gateway reads which vendors the agent paid before, and the last price at each. It reads the newest 5,000 transactions of each agent, or fewer if many agents are affected. If there are more, the response to the change warns with `vendor_history_incomplete`. Until the gateway has read all of them, the rule fails with the code of the same name for every vendor that it has not found yet. Vendors that it has found are judged as usual.'

export const WHOLE_PURCHASE_NOTE =
  'When a card asks to increase an approved purchase (an incremental authorization), the rule judges the new total.'

export function moneySetting(description: string) {
  return Type.Number({
    exclusiveMinimum: 0,
    maximum: MONEY_MAX,
    description: `${description} In currency units, with at most six decimals.`,
    examples: [25],
  })
}

/** Whether a setting is a money setting, so that callers can show it as an amount. */
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
 * The settings with these amounts as the six-decimal numbers that they mean (ADR 34), because
 * amounts of rules are shown, and compared with each other, as numbers.
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

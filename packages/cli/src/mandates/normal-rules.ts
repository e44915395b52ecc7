import { money, type RuleInput } from '@purser/sdk'
import type { Fields } from './checker.ts'

/** A rule as the gateway stores it. */
export interface NormalRule extends Fields {
  readonly id: string
  readonly type: string
  readonly effect: string
}

/**
 * Writes rules as the gateway stores them: with ids and effects, hosts and categories in one form.
 * Otherwise a file would differ from the mandate that was made from it. A test compares the result
 * with that of the gateway.
 */
export function toNormalRules(rules: readonly RuleInput[]): NormalRule[] {
  const taken = new Set(rules.map(({ id }) => id))
  return rules.map((rule) => {
    const id = rule.id ?? freeId(rule.type, taken)
    taken.add(id)
    const effect = rule.effect ?? (rule.type === 'approval' ? 'require_approval' : 'reject')
    return { ...withExactAmounts(toNormalSettings(rule)), type: rule.type, id, effect }
  })
}

/** `limit`, then `limit-2`, `limit-3`, as the gateway names rules without an id. */
function freeId(type: string, taken: ReadonlySet<string | undefined>): string {
  let id = type
  for (let number = 2; taken.has(id); number += 1) id = `${type}-${number}`
  return id
}

function toNormalSettings(rule: RuleInput): Fields {
  if (rule.type === 'vendors') return withLists(rule, toNormalVendor)
  if (rule.type === 'categories') return withLists(rule, toNormalCategory)
  if (rule.type !== 'limit' || typeof rule.match !== 'object') return { ...rule }
  const { vendor, category } = rule.match
  const match = {
    ...rule.match,
    ...(typeof vendor === 'string' && { vendor: toNormalVendor(vendor) }),
    ...(typeof category === 'string' && { category: toNormalCategory(category) }),
  }
  return { ...rule, match }
}

const AMOUNTS = ['min', 'max', 'maxAmount', 'above']

/** Amounts mean six decimals: 0.1 + 0.2 is 0.3. The gateway refuses an amount with more. */
function withExactAmounts(settings: Fields): Fields {
  const exact = AMOUNTS.flatMap((name) => {
    const amount = settings[name]
    return typeof amount === 'number' ? [[name, toExact(amount)]] : []
  })
  return { ...settings, ...Object.fromEntries(exact) }
}

function toExact(amount: number): number {
  try {
    return money(amount).toNumber()
  } catch {
    return amount
  }
}

function withLists<Rule extends { readonly allow?: unknown; readonly block?: unknown }>(
  rule: Rule,
  toNormal: (text: string) => string,
): Fields {
  const normalize = (list: unknown) =>
    Array.isArray(list) ? [...new Set(list.map((each) => toNormal(String(each))))] : list
  return {
    ...rule,
    ...(rule.allow !== undefined && { allow: normalize(rule.allow) }),
    ...(rule.block !== undefined && { block: normalize(rule.block) }),
  }
}

function toNormalCategory(text: string): string {
  return text.toLowerCase()
}

/** A text that is no host stays as it is; the gateway refuses it. */
function toNormalVendor(text: string): string {
  const wildcard = text.startsWith('*.') ? '*.' : ''
  const [, authority = text.slice(wildcard.length)] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? []
  const host = authority.replace(/:\d{1,5}$/, '').replace(/\.$/, '')
  return URL.canParse(`http://${host}/`) ? wildcard + new URL(`http://${host}/`).hostname : text
}

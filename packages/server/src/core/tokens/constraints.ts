import type { Mandate } from '../mandates/mandate.ts'
import { least, type Micros, toDecimal, toMicros, toUnits } from '../money.ts'
import { definitionOf, type Rule } from '../rules/rule-set.ts'
import { isMoneySetting } from '../rules/settings.ts'
import { createVendorSet } from '../vendor.ts'

/**
 * A bound on the agent, one per rule, under our own names. AP2 has names for some of them, but with
 * amounts in other units: a limit that is read a hundred times too high is worse than one that is not
 * understood.
 */
export interface Constraint {
  readonly type: string
  readonly [name: string]: unknown
}

/** A token travels in a header, and most servers accept 8 kB of headers. */
const CONSTRAINTS_LENGTH_MAX = 4_000

/**
 * The rules of these mandates, as many as fit. A last entry gives the number of omitted ones. A single
 * spend cannot exceed the remaining budget, so no maximum is larger than that.
 */
export function constraintsOf(line: readonly Mandate[], remaining: Micros): Constraint[] {
  const all = line.flatMap(({ rules, currency }) =>
    rules.map((rule) => toConstraint(withinBudget(rule, remaining), currency)),
  )
  const told: Constraint[] = []
  let length = 0
  for (const constraint of all) {
    length += JSON.stringify(constraint).length
    if (length > CONSTRAINTS_LENGTH_MAX) break
    told.push(constraint)
  }
  const left = all.length - told.length
  return left === 0 ? told : [...told, { type: nameOf('more'), count: left }]
}

/**
 * The constraints for an outside audience: that it may be paid, and the largest single amount if the
 * mandate discloses it. It is the limit as written, independent of the remaining budget.
 */
export function constraintsFor(vendor: string, line: readonly Mandate[]): Constraint[] {
  const payee = { type: nameOf('payee'), vendor }
  const most = disclosedMax(line)
  const [own] = line
  if (most === undefined || !own) return [payee]
  return [payee, { type: nameOf('amount'), max: toDecimal(most), currency: own.currency }]
}

/** Whether the vendor passes every vendor rule that can reject or question a spend. */
export function allowsVendor(line: readonly Mandate[], vendor: string): boolean {
  return line.every(({ rules }) =>
    rules.every((rule) => {
      if (rule.type !== 'vendors' || rule.effect === 'flag') return true
      const { allow, block = [] } = rule
      if (createVendorSet(block).has(vendor)) return false
      return allow === undefined || createVendorSet(allow).has(vendor)
    }),
  )
}

/**
 * The lowest maximum of the line, if the mandate that states it discloses it. A mandate discloses only
 * its own limits. If the lowest maximum is not disclosed, none is: a higher one would promise more than
 * the agent may spend.
 */
function disclosedMax(line: readonly Mandate[]): Micros | undefined {
  const stated = line.flatMap(({ rules, discloseLimits }) =>
    rules.flatMap((rule) => {
      if (rule.type !== 'amount' || rule.effect === 'flag' || rule.max === undefined) return []
      return [{ max: toMicros(rule.max), discloseLimits }]
    }),
  )
  const [first, ...others] = stated
  if (!first) return undefined
  const lowest = others.reduce((least, next) => (next.max < least.max ? next : least), first)
  return lowest.discloseLimits && line[0]?.discloseLimits ? lowest.max : undefined
}

/** A rule that only flags bounds nothing, and stays as written. */
function withinBudget(rule: Rule, remaining: Micros): Rule {
  if (rule.type !== 'amount' || rule.effect === 'flag' || rule.max === undefined) return rule
  return { ...rule, max: toUnits(least(toMicros(rule.max), remaining)) }
}

/** Leaves out the rule's id: a person chose it, and it may be a name. */
function toConstraint(rule: Rule, currency: string): Constraint {
  const { type, id: _, ...settings } = rule
  const schemas = definitionOf(rule).settings
  const told = Object.entries(settings).map(([name, value]): [string, unknown] => {
    const schema = schemas[name]
    const isMoney = schema !== undefined && isMoneySetting(schema) && typeof value === 'number'
    return [name, isMoney ? toDecimal(toMicros(value)) : value]
  })
  const hasMoney = Object.values(schemas).some(isMoneySetting)
  return { type: nameOf(type), ...Object.fromEntries(told), ...(hasMoney ? { currency } : {}) }
}

function nameOf(what: string): string {
  return `dev.purser.${what}.1`
}

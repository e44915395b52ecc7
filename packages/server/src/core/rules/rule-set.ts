import assert from 'node:assert/strict'
import { type TSchema, Type } from 'typebox'
import { FIELD_ERRORS_MAX, type FieldError, invalidFields, Problem } from '../../base/errors.ts'
import { BUDGET_ID } from './budget.ts'
import { type RuleDefinition, ruleInputSchema, ruleSchema, type SettingsOf } from './define-rule.ts'
import { EXPRESSIONS_COST_MAX } from './expression/cost.ts'
import { HIGH_RISK_ID } from './high-risk.ts'
import { RULES } from './kinds/index.ts'

type Listed = (typeof RULES)[number]

/** A rule as a mandate states it, before ids and effects are filled in. */
export type RuleInput = InputOf<Listed>

/** A rule as a mandate holds it: id and effect filled in, vendors and categories in normal form. */
export type Rule = RuleOf<Listed>

type InputOf<Definition> =
  Definition extends RuleDefinition<infer Name, infer Settings, infer Allowed>
    ? Merged<
        { readonly type: Name; readonly id?: string; readonly effect?: Allowed },
        SettingsOf<Settings>
      >
    : never

type RuleOf<Definition> =
  Definition extends RuleDefinition<infer Name, infer Settings, infer Allowed>
    ? Merged<
        { readonly type: Name; readonly id: string; readonly effect: Allowed },
        SettingsOf<Settings>
      >
    : never

/** One flat object type instead of an intersection, so that editors and errors show the fields. */
type Merged<Common, Settings> = {
  readonly [Key in keyof (Common & Settings)]: (Common & Settings)[Key]
}

export const RuleInput = Type.Unsafe<RuleInput>(oneOf('RuleInput', ruleInputSchema))

export const Rule = Type.Unsafe<Rule>(oneOf('Rule', ruleSchema))

export const RULES_MAX = 64

const DEFINITIONS: ReadonlyMap<string, RuleDefinition> = new Map(
  RULES.map((definition): [string, RuleDefinition] => [definition.type, definition]),
)

/**
 * All errors in the rules of a mandate that have passed their schema. Paths are JSON pointers into
 * the mandate, such as `/rules/3/max`.
 */
export function inspectRules(rules: readonly RuleInput[]): FieldError[] {
  return inspect(rules).errors
}

/**
 * The rules as a mandate holds them; throws a problem that lists their errors.
 *
 * Each mandate has its own cost limit. The total for an agent is bounded as well, because a mandate
 * and its parents are at most five. A stored mandate that costs more is still judged, and everything
 * but its rules can be changed.
 */
export function parseRules(inputs: readonly RuleInput[]): Rule[] {
  const { errors, cost } = inspect(inputs)
  if (errors.length > 0) throw invalidFields(errors)
  if (cost <= EXPRESSIONS_COST_MAX) return toRules(inputs)
  throw new Problem(
    'expressions_too_costly',
    `The expressions of these rules can cost ${cost} units of work per spend; the limit is ${EXPRESSIONS_COST_MAX}. Text functions, and \`all\`, \`exists\` and \`exists_one\` over long lists, cost the most.`,
    { extra: { cost, costMax: EXPRESSIONS_COST_MAX } },
  )
}

/**
 * The errors in the rules, and the cost of their expressions. Compiling an expression takes longer
 * than evaluating it, so the rest is skipped once the rules are refused anyway: when they cost too
 * much, or when there are more errors than a response lists.
 */
function inspect(rules: readonly RuleInput[]): { errors: FieldError[]; cost: number } {
  if (rules.length > RULES_MAX) {
    const message = `must have at most ${RULES_MAX} entries`
    return { errors: [{ path: '/rules', code: 'too_many', message }], cost: 0 }
  }
  const errors: FieldError[] = []
  let cost = 0
  for (const [index, rule] of rules.entries()) {
    const definition = definitionOf(rule)
    errors.push(...inspectId(rules, index), ...atRule(index, definition.inspect(rule)))
    cost += definition.cost?.(rule) ?? 0
    if (cost > EXPRESSIONS_COST_MAX || errors.length > FIELD_ERRORS_MAX) break
  }
  return { errors, cost }
}

/** The rules as a mandate holds them. The caller has inspected them and found no errors. */
export function toRules(inputs: readonly RuleInput[]): Rule[] {
  const taken = new Set(inputs.map((input) => input.id))
  return inputs.map((input) => {
    const id = input.id ?? freeId(input.type, taken)
    taken.add(id)
    return toRule(input, id)
  })
}

/** Turns a path that is relative to a rule into one that is relative to its mandate. */
export function atRule(index: number, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, path: `/rules/${index}${error.path}` }))
}

/**
 * A type that is not in the list is a defect, because neither the schema nor storage has any other.
 */
export function definitionOf(rule: { readonly type: RuleInput['type'] }): RuleDefinition {
  const definition = DEFINITIONS.get(rule.type)
  assert(definition, `there is no rule of type ${rule.type}`)
  return definition
}

function toRule(input: RuleInput, id: string): Rule {
  const definition = definitionOf(input)
  const settings = definition.normalize?.(input) ?? input
  const effect = input.effect ?? definition.effects[0]
  // The settings belong to the input's own type, but the compiler cannot follow that through the
  // map.
  return { ...settings, type: input.type, id, effect } as Rule
}

/**
 * `limit`, then `limit-2`, `limit-3`: the names that a person would use, and the same each time.
 */
export function freeId(type: string, taken: ReadonlySet<string | undefined>): string {
  let id = type
  for (let number = 2; taken.has(id); number += 1) id = `${type}-${number}`
  return id
}

const RESERVED_IDS: ReadonlyMap<string, string> = new Map([
  [BUDGET_ID, 'the budget of the mandate'],
  [HIGH_RISK_ID, 'the check for high-risk card purchases'],
])

function inspectId(rules: readonly RuleInput[], index: number): FieldError[] {
  const id = rules[index]?.id
  const meant = id === undefined ? undefined : RESERVED_IDS.get(id)
  if (meant !== undefined) {
    const message = `is reserved: in findings, it means ${meant}`
    return [{ path: `/rules/${index}/id`, code: 'reserved_id', message }]
  }
  const first = rules.findIndex((rule) => rule.id === id)
  if (id === undefined || first === index) return []
  const message = `must differ from the id of /rules/${first}`
  return [{ path: `/rules/${index}/id`, code: 'duplicate_id', message }]
}

/**
 * Ajv and OpenAPI both read the discriminator, so errors are about the one shape that was meant.
 */
function oneOf(title: string, toSchema: (definition: RuleDefinition) => TSchema): TSchema {
  const branches = RULES.map((definition) => toSchema(definition))
  return { title, type: 'object', oneOf: branches, discriminator: { propertyName: 'type' } }
}

import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { FieldError } from '../../base/errors.ts'
import type { Codes } from './codes.ts'
import type { Judge, JudgedMandate } from './verdict.ts'

/** The effects of a failed rule, the strictest first. */
export const EFFECTS = ['reject', 'require_approval', 'flag'] as const

export type Effect = (typeof EFFECTS)[number]

/** The result for a spend when a rule with this effect fails. */
export const EFFECT_MEANINGS: Readonly<Record<Effect, string>> = {
  reject: 'The spend is rejected with the code of the rule. The outcome of the finding is `fail`.',
  require_approval:
    'A person must approve the spend. It is rejected with `approval_required`, unless another rule or the budget rejects it anyway. The outcome of the finding is `escalate`.',
  flag: 'The rule does not reject the spend. The outcome of the finding is `flag`, and the message of an approved spend names the rule.',
}

/** Data that arrived as JSON and never changes afterwards. */
export type Frozen<T> = T extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

export type SettingsOf<Settings extends TProperties> = Frozen<Static<TObject<Settings>>>

/** An example of a rule, without its type, and its meaning in words. */
interface RuleExample<Settings, Allowed> {
  readonly says: string
  readonly rule: Settings & { readonly effect?: Allowed }
}

/**
 * One kind of rule. Everything about it is in one file of `rules/kinds/`.
 *
 * The schema describes the settings. `inspect` checks conditions that a schema cannot express, on
 * settings that have passed the schema. Paths of errors are JSON pointers relative to the rule, such
 * as `/max`; their messages are worded to follow the path.
 */
export interface RuleDefinition<
  Name extends string = string,
  Settings extends TProperties = TProperties,
  Allowed extends Effect = Effect,
> {
  /**
   * The name of the rule in mandates, in findings and in the catalogue. It is never renamed once
   * released.
   */
  readonly type: Name
  /** The name of the rule's shape in the OpenAPI document. */
  readonly title: string
  readonly summary: string
  /** The effects that a mandate may choose; the first is the default. */
  readonly effects: readonly [Allowed, ...Allowed[]]
  readonly settings: Settings
  /** For the documents. Together they use every setting. */
  readonly examples: readonly RuleExample<SettingsOf<Settings>, Allowed>[]
  /** For the documents: sentences about facts that the settings do not show. */
  readonly notes?: readonly string[]
  /** For the documents: the conditions that `widerThan` checks in a child mandate. */
  readonly narrower?: string
  /**
   * The codes that its findings can have when it fails, besides `rule_error`, which all rules can
   * have.
   */
  readonly codes: Codes
  inspect(settings: SettingsOf<Settings>): FieldError[]
  /**
   * Brings settings that can be written in several ways into one form. Called only if the inspection
   * found no errors.
   */
  normalize?(settings: SettingsOf<Settings>): SettingsOf<Settings>
  /**
   * Prepares the rule for judging, once per version of a mandate: everything that does not depend on
   * a spend is computed here. The settings are in normal form.
   */
  judge(settings: SettingsOf<Settings>, mandate: JudgedMandate): Judge
  /** The maximum cost of judging a spend. Absent for rules whose cost is negligible. */
  cost?(settings: SettingsOf<Settings>): number
  /**
   * The settings in which a child's rule allows more than its parent's rules of the same type.
   * Absent for rules that cannot be compared. The parent's rules are judged on every spend of the
   * child anyway, so this check finds settings that cannot take effect; it never closes a hole.
   */
  widerThan?(
    child: SettingsOf<Settings>,
    parents: readonly SettingsOf<Settings>[],
  ): readonly FieldError[]
}

export function defineRule<
  const Name extends string,
  Settings extends TProperties,
  const Allowed extends Effect,
>(definition: RuleDefinition<Name, Settings, Allowed>): RuleDefinition<Name, Settings, Allowed> {
  return definition
}

/** The shape of a rule as a mandate states it; id and effect have defaults. */
export function ruleInputSchema({ type, title, summary, effects, settings }: RuleDefinition) {
  return Type.Object(
    {
      type: Type.Literal(type),
      id: Type.Optional(RuleId),
      effect: Type.Optional(effectSchema(effects)),
      ...settings,
    },
    { title: `${title}Input`, description: summary, additionalProperties: false },
  )
}

/** The shape of a rule as it is stored and shown. */
export function ruleSchema({ type, title, summary, effects, settings }: RuleDefinition) {
  return Type.Object(
    { type: Type.Literal(type), id: RuleId, effect: effectSchema(effects), ...settings },
    { title, description: summary, additionalProperties: false },
  )
}

const RuleId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Names the rule in findings. If omitted, it is derived from the type.',
})

function effectSchema(effects: RuleDefinition['effects']) {
  // No `default` keyword: validators ignore it inside `oneOf`, and strict ones refuse it.
  return Type.Enum([...effects], {
    type: 'string',
    description: `What happens when the rule fails. Default: ${effects[0]}.`,
  })
}

import type { RuleInput } from '@purser/sdk'
import type { Checker, Fields } from './checker.ts'
import type { PathStep } from './mistake.ts'
import { COMMON_RULE_FIELDS, RULE_FIELDS, RULE_TYPES } from './rule-fields.ts'

/** As many as the gateway accepts. */
const RULES_MAX = 64

/**
 * Reads a list of rules: their types, and the names of their fields. The gateway checks the values,
 * because only it knows all rules about them.
 */
export function readRules(
  checker: Checker,
  path: readonly PathStep[],
  value: unknown,
): readonly RuleInput[] | undefined {
  const rules = checker.list(path, value, RULES_MAX)
  const read = rules?.flatMap((rule, index) => readRule(checker, [...path, index], rule) ?? [])
  const ids = read?.map(({ id }) => id) ?? []
  for (const [index, id] of ids.entries()) {
    if (id !== undefined && ids.indexOf(id) !== index) {
      checker.refuse(
        [...path, index, 'id'],
        `is also the id of ${path.join('.')}[${ids.indexOf(id)}]`,
      )
    }
  }
  return read
}

function readRule(
  checker: Checker,
  path: readonly PathStep[],
  value: unknown,
): RuleInput | undefined {
  const type = typeOf(value)
  const known = RULE_FIELDS[type ?? '']
  if (type === undefined || known === undefined) {
    const fields = checker.fields(path, value, Object.keys(Object(value)))
    if (fields) checker.choice([...path, 'type'], fields['type'], RULE_TYPES)
    return undefined
  }
  // The gateway checks the values before it uses them.
  return checker.fields(path, value, [...COMMON_RULE_FIELDS, ...known]) as RuleInput | undefined
}

function typeOf(value: unknown): string | undefined {
  const type = typeof value === 'object' && value !== null ? (value as Fields)['type'] : undefined
  return typeof type === 'string' && Object.hasOwn(RULE_FIELDS, type) ? type : undefined
}

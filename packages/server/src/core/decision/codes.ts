import { budgetCodes } from '../rules/budget.ts'
import { type Codes, type DeclaredCode, sharedCodes } from '../rules/codes.ts'
import { RULES } from '../rules/kinds/index.ts'
import { summaryCodes } from './details.ts'
import { gateCodes } from './gate.ts'

/** Something that gives decisions or findings their codes. */
interface CodeSource {
  /** In words that follow "Comes from". */
  readonly name: string
  /** The type of the rule, where it is one. */
  readonly rule: string | null
  readonly codes: Codes
}

/**
 * Everything that codes come from, in the order in which a spend meets it. A part outside of core that
 * ends a decision by itself declares its codes in this file, where it can import them from, and lists
 * them here.
 */
export const CODE_SOURCES: readonly CodeSource[] = [
  { name: 'the decision as a whole', rule: null, codes: summaryCodes },
  { name: 'the checks before any rule', rule: null, codes: gateCodes },
  ...RULES.map(({ type, codes }) => ({ name: `the rule ${type}`, rule: type, codes })),
  {
    name: 'any rule',
    rule: null,
    codes: { rule_error: sharedCodes.rule_error },
  },
  { name: 'the budget', rule: null, codes: budgetCodes },
]

/** Every code that a decision or a finding can have, each once. */
export const DECISION_CODES: readonly DeclaredCode[] = [
  ...new Set(CODE_SOURCES.flatMap(({ codes }) => Object.values(codes))),
]

import { approvalCodes } from '../approvals/permit.ts'
import { budgetCodes } from '../rules/budget.ts'
import { type Codes, type DeclaredCode, sharedCodes } from '../rules/codes.ts'
import { RULES } from '../rules/kinds/index.ts'
import { pastCodes } from '../rules/past-counting.ts'
import { recordCodes } from './decide.ts'
import { summaryCodes } from './details.ts'
import { gateCodes } from './gate.ts'
import { lateCodes } from './late.ts'

/** A source of codes: a rule, or the part of the gateway that `name` describes. */
type CodeSource = { readonly codes: Codes } & (
  | { readonly rule: string }
  | { readonly name: string }
)

/**
 * All sources of codes, in the order in which a spend meets them. Some parts outside `core` end a
 * decision by themselves. Their codes are declared in this folder, because those parts can import
 * them from here, and are listed too.
 */
export const CODE_SOURCES: readonly CodeSource[] = [
  { name: 'the decision, if nothing rejects the spend', codes: summaryCodes },
  { name: 'the checks before the rules', codes: gateCodes },
  ...RULES.map(({ type, codes }) => ({ rule: type, codes })),
  {
    name: 'any rule with the effect `require_approval`',
    codes: { approval_required: sharedCodes.approval_required },
  },
  {
    name: 'any rule with the effect `require_approval`, if the spend presents an approval',
    codes: approvalCodes,
  },
  {
    name: 'any rule that reads counters or the vendor history, after it was added',
    codes: pastCodes,
  },
  { name: 'any rule', codes: { rule_error: sharedCodes.rule_error } },
  {
    name: 'the check for high-risk card purchases',
    codes: { category_blocked: sharedCodes.category_blocked },
  },
  { name: 'the budgets of the mandate and its parents', codes: budgetCodes },
  { name: 'a payment path, after the deadline of its caller', codes: lateCodes },
  { name: 'a payment path that learned of a payment afterwards', codes: recordCodes },
]

/** Every code that a decision or a finding can have, each once. */
export const DECISION_CODES: readonly DeclaredCode[] = [
  ...new Set(CODE_SOURCES.flatMap(({ codes }) => Object.values(codes))),
]

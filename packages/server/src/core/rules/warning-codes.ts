/**
 * Every code that a warning of a mandate or of a simulation can have, and what it means. A mandate
 * that is warned about is valid. From this list follow the documents.
 */
export const WARNING_CODES = {
  no_amount_allowed: 'A smallest amount is above a largest one, so nothing can be spent.',
  minimum_above_budget: 'The smallest amount is above the budget, so nothing can be spent.',
  approval_never_asked:
    'A rule asks a person about amounts that another rule, or the budget, rejects anyway.',
  limit_above_budget: 'A limit is never reached, because the budget is smaller.',
  limit_below_minimum: 'Every spend that a rule on amounts lets through is above a limit.',
  no_path_allowed: 'No payment path is on every allow list and on no block list.',
  no_vendor_allowed: 'No vendor is on every allow list and on no block list.',
  no_category_allowed: 'No category is on every allow list and on no block list.',
  path_allowed_and_blocked: 'A payment path is allowed and blocked at once, so it is blocked.',
  vendor_allowed_and_blocked: 'A vendor is allowed and blocked at once, so it is blocked.',
  category_allowed_and_blocked: 'A category is allowed and blocked at once, so it is blocked.',
  new_vendors_rejected:
    'A rule `new_vendor` rejects every new vendor each time, so that none becomes known.',
  expression_bare_amount:
    'An expression compares an amount, which is in millionths, with a bare number.',
  past_being_counted:
    'More was spent before than can be counted at once. Until it is counted, the rules fail for every spend that they count.',
  vendor_history_incomplete:
    'An agent has paid more than can be looked at once. Until all is looked at, the rules fail for vendors that are not known yet.',
  sub_mandates_wider:
    'Sub-mandates state more than the changed mandate allows. Its budget and rules still bind them.',
  wider_than_parent:
    'The sub-mandate states more than a mandate above it allows now, because that one was narrowed, or would state it with the rules of a backtest. What the one above says still binds it. It is told when the sub-mandate is changed, activated or replayed; the change above tells `sub_mandates_wider`.',
  past_not_known:
    'Of a simulation with rules of its own: they count from zero what the mandate does not count yet, so that spends of the past are missing.',
} as const satisfies Readonly<Record<string, string>>

export type WarningCode = keyof typeof WARNING_CODES

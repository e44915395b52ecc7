/** The codes of a decision for a network and an issuer. */
export interface Told {
  /** The result of Lithic's Auth Stream Access. */
  readonly lithic: string
  /** The response code of ISO 8583, field 39. */
  readonly networkCode: string
  /**
   * Whether the merchant may try again. Networks fine merchants that repeat a request after a final
   * decline, so a decline is retryable if a later approval or change could let the request pass.
   */
  readonly retryable: boolean
}

const NO_FUNDS: Told = { lithic: 'INSUFFICIENT_FUNDS', networkCode: '51', retryable: true }
const TOO_MUCH: Told = { lithic: 'INSUFFICIENT_FUNDS', networkCode: '61', retryable: true }
const TOO_OFTEN: Told = { lithic: 'VELOCITY_EXCEEDED', networkCode: '65', retryable: true }
const NOT_NOW: Told = { lithic: 'VELOCITY_EXCEEDED', networkCode: '61', retryable: true }
const NO_ANSWER: Told = { lithic: 'VELOCITY_EXCEEDED', networkCode: '91', retryable: true }
const STOPPED: Told = { lithic: 'CARD_PAUSED', networkCode: '62', retryable: true }
const NEVER: Told = { lithic: 'UNAUTHORIZED_MERCHANT', networkCode: '57', retryable: false }
const NO_SUCH_CARD: Told = { lithic: 'UNAUTHORIZED_MERCHANT', networkCode: '14', retryable: false }
const REFUSED: Told = { lithic: 'UNAUTHORIZED_MERCHANT', networkCode: '05', retryable: false }

/** Indexed by our code. A test checks that every decision code is here. */
const TOLD: ReadonlyMap<string, Told> = new Map(
  Object.entries({
    organization_frozen: STOPPED,
    agent_paused: STOPPED,
    card_paused: STOPPED,
    card_closed: NO_SUCH_CARD,
    card_unknown: NO_SUCH_CARD,
    no_active_mandate: STOPPED,
    mandate_not_started: STOPPED,
    mandate_expired: STOPPED,
    currency_mismatch: NEVER,
    payee_mismatch: { lithic: 'SUSPECTED_FRAUD', networkCode: '59', retryable: false },
    path_not_allowed: NEVER,
    vendor_blocked: NEVER,
    vendor_not_allowed: NEVER,
    new_vendor: NEVER,
    category_blocked: NEVER,
    category_not_allowed: NEVER,
    category_required: NEVER,
    amount_below_min: NEVER,
    amount_above_max: TOO_MUCH,
    price_drift: TOO_MUCH,
    outside_schedule: NOT_NOW,
    // An expression may depend on the time or on earlier spends, so it may be true later.
    expression_false: NOT_NOW,
    limit_count_exceeded: TOO_OFTEN,
    limit_amount_exceeded: TOO_OFTEN,
    duplicate_transaction: TOO_OFTEN,
    past_being_counted: TOO_OFTEN,
    vendor_history_incomplete: TOO_OFTEN,
    budget_exceeded: NO_FUNDS,
    parent_budget_exceeded: NO_FUNDS,
    approval_required: NOT_NOW,
    // No card request gets these two, because it presents no approval; a usable one is found for it.
    approval_rejected: NEVER,
    approval_expired: NOT_NOW,
    deadline_passed: NO_ANSWER,
    expression_error: { ...REFUSED, retryable: true },
    rule_error: { ...REFUSED, retryable: true },
    // Reasons that apply before there is anything to decide.
    connection_disabled: STOPPED,
    internal_error: NO_ANSWER,
    malformed_request: REFUSED,
  }),
)

const APPROVED: Told = { lithic: 'APPROVED', networkCode: '00', retryable: false }
const APPROVED_IN_PART: Told = { ...APPROVED, networkCode: '10' }

export function toldOf(verdict: {
  readonly isApproved: boolean
  readonly isPartial: boolean
  readonly code: string
}): Told {
  if (verdict.isApproved) return verdict.isPartial ? APPROVED_IN_PART : APPROVED
  return TOLD.get(verdict.code) ?? REFUSED
}

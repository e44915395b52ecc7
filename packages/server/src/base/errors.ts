/** A problem that the API can answer with. */
export interface ProblemKind {
  /** Part of the contract, and never renamed. */
  readonly code: string
  readonly status: number
  /** A sentence for people; it may be reworded. */
  readonly title: string
}

/**
 * The problems that do not belong to a single payment path. A path defines its own in the same way.
 */
export const PROBLEMS = defineProblems({
  validation_failed: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not acceptable JSON' },
  invalid_idempotency_key: { status: 400, title: 'The Idempotency-Key header is not valid' },
  mandate_wider_than_parent: {
    status: 400,
    title: 'A child mandate cannot be wider than its parent',
  },
  unauthenticated: { status: 401, title: 'Missing or invalid API key or session' },
  wrong_credentials: { status: 401, title: 'Sign-in failed' },
  insufficient_scope: { status: 403, title: 'The required scope is missing' },
  session_required: { status: 403, title: 'A signed-in member is required' },
  insufficient_role: { status: 403, title: "The member's role does not allow this" },
  agent_bound_key: { status: 403, title: 'An agent-bound API key cannot do this' },
  approval_own_request: { status: 403, title: 'You cannot decide on your own approval request' },
  four_eyes_required: { status: 403, title: 'Another person must decide on the approval' },
  cross_site: { status: 403, title: 'The session was used from another site' },
  origin_not_allowed: { status: 403, title: 'Pages of other origins cannot call this endpoint' },
  reauthentication_required: { status: 403, title: 'Recent re-authentication required' },
  route_not_found: { status: 404, title: 'Endpoint not found' },
  agent_not_found: { status: 404, title: 'Agent not found' },
  mandate_not_found: { status: 404, title: 'Mandate not found' },
  transaction_not_found: { status: 404, title: 'Transaction not found' },
  approval_not_found: { status: 404, title: 'Approval not found' },
  api_key_not_found: { status: 404, title: 'API key not found' },
  vendor_not_found: { status: 404, title: 'Vendor not found in the directory' },
  delivery_not_found: { status: 404, title: 'Webhook delivery not found' },
  event_not_found: { status: 404, title: 'Event not found' },
  leaf_not_found: { status: 404, title: 'Leaf not found in the audit log' },
  log_shorter: { status: 404, title: 'Size exceeds the audit log' },
  member_not_found: { status: 404, title: 'Member not found' },
  invitation_not_found: { status: 404, title: 'Invitation not found' },
  session_not_found: { status: 404, title: 'Session not found' },
  passkey_not_found: { status: 404, title: 'Passkey not found' },
  method_not_allowed: { status: 405, title: 'The endpoint does not support this method' },
  mandate_conflict: { status: 409, title: 'The agent already has an active mandate' },
  mandate_state: { status: 409, title: 'The status of the mandate does not allow this' },
  draft_limit_reached: { status: 409, title: 'The mandate has too many drafts' },
  changed_meanwhile: { status: 409, title: 'The state differs from the expected one' },
  mandate_has_children: { status: 409, title: 'The mandate has child mandates' },
  parent_not_active: { status: 409, title: 'The parent mandate is not active' },
  budget_below_spent: { status: 409, title: 'The budget is below the amount already spent' },
  backtest_running: { status: 409, title: 'A backtest is already running' },
  transaction_state: { status: 409, title: 'The status of the transaction does not allow this' },
  mandate_inactive: { status: 409, title: 'The agent has no active mandate to attest' },
  amount_above_hold: { status: 409, title: 'The amount exceeds the hold' },
  amount_above_settled: {
    status: 409,
    title: 'The amount exceeds the amount that can still be refunded',
  },
  vendor_host_taken: { status: 409, title: 'The directory already has this host' },
  card_alias_taken: { status: 409, title: 'Another vendor already has this card alias' },
  approval_decided: { status: 409, title: 'The approval was already decided or has expired' },
  webhook_not_configured: { status: 409, title: 'The organization has no webhook URL' },
  webhook_endpoint_not_found: { status: 404, title: 'Webhook endpoint not found' },
  redelivery_running: { status: 409, title: 'A redelivery of failed events is already running' },
  external_id_taken: { status: 409, title: 'Another agent already has this externalId' },
  last_managing_key: { status: 409, title: 'The last key that manages keys cannot be revoked' },
  last_owner: { status: 409, title: 'The last owner cannot be removed or demoted' },
  member_exists: { status: 409, title: 'A member with this address already exists' },
  organization_required: { status: 409, title: 'The address belongs to several organizations' },
  people_limit_reached: { status: 409, title: 'Member limit reached' },
  passkey_limit_reached: { status: 409, title: 'Passkey limit reached' },
  idempotency_key_reused: {
    status: 409,
    title: 'The Idempotency-Key was used for another request',
  },
  idempotency_in_flight: { status: 409, title: 'The first request with this key is still running' },
  link_ended: { status: 410, title: 'The link was used or revoked, or has expired' },
  event_removed: { status: 410, title: 'Retention has removed the event' },
  body_too_large: { status: 413, title: 'The body has too many bytes, entries or chunks' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  pan_not_allowed: { status: 422, title: 'The request seems to contain a card number' },
  unreadable_name: { status: 422, title: 'A name or text contains invisible characters' },
  audience_not_allowed: { status: 422, title: 'The mandate does not allow this audience' },
  public_url_missing: { status: 422, title: 'The public URL of the gateway is not set' },
  passkeys_unavailable: { status: 422, title: 'Passkeys need a host name' },
  passkey_refused: { status: 422, title: 'The passkey could not be verified' },
  inputs_not_kept: { status: 422, title: 'The inputs of the decision are not stored' },
  expressions_too_costly: { status: 422, title: 'The expressions of the rules are too costly' },
  rate_limited: { status: 429, title: 'Too many requests per minute or in parallel' },
  plan_limit_exceeded: { status: 429, title: 'Plan limit reached' },
  internal_error: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'The gateway is overloaded' },
  analytics_not_ready: { status: 503, title: 'The spend totals are still being built' },
  store_restored: { status: 503, title: 'The store was restored and is closed' },
  store_moved: { status: 503, title: 'The store was moved and is closed' },
  storage_full: { status: 503, title: 'The disk is full or nearly full' },
  storage_unavailable: { status: 503, title: 'The database is unavailable' },
})

export type ProblemCode = keyof typeof PROBLEMS

/** Codes are unique over the whole catalogue, here and in all paths; a test checks that. */
export function defineProblems<Code extends string>(
  problems: Readonly<Record<Code, Omit<ProblemKind, 'code'>>>,
): Readonly<Record<Code, ProblemKind>> {
  const kinds = Object.entries<Omit<ProblemKind, 'code'>>(problems).map(([code, kind]) => [
    code,
    { code, ...kind },
  ])
  // The keys are those of the argument, but the type of `fromEntries` cannot express that.
  return Object.fromEntries(kinds) as Record<Code, ProblemKind>
}

export function kindOf(problem: ProblemCode | ProblemKind): ProblemKind {
  return typeof problem === 'string' ? PROBLEMS[problem] : problem
}

/** A mistake in one field of the request. `path` is a JSON pointer into the body or query. */
export interface FieldError {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** A person corrects a few mistakes at a time, and an answer must not be larger than its request. */
export const FIELD_ERRORS_MAX = 20
const FIELD_ERRORS_BYTES_MAX = 10_000
const DETAIL_MAX = 1_000
const PATH_MAX = 200
const MESSAGE_MAX = 500

type ExtraValue = string | number | boolean | null | readonly (string | object)[] | object

interface ProblemParts {
  readonly errors?: readonly FieldError[]
  /** Further members of the problem document, such as the conflicting state. */
  readonly extra?: Readonly<Record<string, ExtraValue>>
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
  /** The monitor of the failed part has already logged this for the operator, so answers need not. */
  readonly isTold?: true
}

/**
 * A mistake of the caller, or a refusal, that the API answers with. Any other error is a bug. Its
 * size is bounded, whatever text of the caller it repeats and however many mistakes there are.
 */
export class Problem extends Error {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]
  readonly extra: NonNullable<ProblemParts['extra']>
  readonly retryAfterSeconds: number | undefined
  readonly isTold: boolean

  /** `detail` is one sentence for the reader: what happened and what to do. */
  constructor(problem: ProblemCode | ProblemKind, detail: string, parts: ProblemParts = {}) {
    super(clip(detail, DETAIL_MAX), { cause: parts.cause })
    this.name = 'Problem'
    const { code, status, title } = kindOf(problem)
    this.code = code
    this.status = status
    this.title = title
    this.errors = parts.errors ? bounded(parts.errors) : []
    this.extra = parts.extra ?? {}
    this.retryAfterSeconds = parts.retryAfterSeconds
    this.isTold = parts.isTold === true
  }
}

/** A request whose fields are each well formed but still cannot be accepted. */
export function invalidFields(errors: readonly FieldError[]): Problem {
  const [first] = errors
  const place = first?.path ? `In the body, ${first.path}` : 'The body'
  const detail = `${place} ${first?.message}${andMore(errors.length)}.`
  return new Problem('validation_failed', detail, { errors })
}

/** For a query parameter that its schema allows, but not in this case. */
export function refusedParameter(name: string, message: string): Problem {
  return new Problem('validation_failed', `In the query, /${name} ${message}.`, {
    errors: [{ path: `/${name}`, code: 'not_allowed', message }],
  })
}

/** Returns the suffix that follows the first of this many mistakes. */
export function andMore(count: number): string {
  if (count <= 1) return ''
  if (count <= FIELD_ERRORS_MAX) return ` (and ${count - 1} more, see errors)`
  return ` (and at least ${count - 1} more; errors names the first)`
}

/** Returns the first errors, as many as fit, but at least one. */
function bounded(errors: readonly FieldError[]): FieldError[] {
  const told: FieldError[] = []
  let bytes = 0
  for (const { path, code, message } of errors.slice(0, FIELD_ERRORS_MAX)) {
    const error = { path: clip(path, PATH_MAX), code, message: clip(message, MESSAGE_MAX) }
    bytes += Buffer.byteLength(JSON.stringify(error))
    if (told.length > 0 && bytes > FIELD_ERRORS_BYTES_MAX) break
    told.push(error)
  }
  return told
}

/** Shortens a text, never in the middle of a character. */
export function clip(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  return `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

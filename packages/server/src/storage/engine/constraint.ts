import { Problem, type ProblemCode, type ProblemKind } from '../../base/errors.ts'

/** The problem that answers a request whose statement breaks a constraint. */
interface Refusal {
  readonly problem: ProblemCode | ProblemKind
  readonly detail: string
}

/** Refusals by the name of their constraint. */
export type Refusals = ReadonlyMap<string, Refusal>

/** The constraints of all tables but those of the payment paths, which bring their own refusals. */
const REFUSALS: Refusals = new Map<string, Refusal>([
  [
    'one_active_mandate_per_agent',
    {
      problem: 'mandate_conflict',
      detail: 'The agent already has an active mandate. Revoke it before activating another.',
    },
  ],
  [
    'external_id_is_unique',
    {
      problem: 'external_id_taken',
      detail:
        'Another agent of the organization already has this externalId. Choose a different one, or update that agent.',
    },
  ],
  [
    'vendor_host_is_unique',
    {
      problem: 'vendor_host_taken',
      detail:
        'The directory already has an entry for this host. Update it with PATCH /vendors/:id.',
    },
  ],
  [
    'card_alias_is_unique',
    {
      problem: 'card_alias_taken',
      detail:
        'Another vendor of the directory already has one of these cardAliases. Remove it there first.',
    },
  ],
  [
    'member_email_is_unique',
    {
      problem: 'member_exists',
      detail: 'The organization already has a member with this address. Sign in instead.',
    },
  ],
  [
    'parent_mandate_exists',
    {
      problem: 'mandate_has_children',
      detail: 'The mandate has child mandates. Delete or revoke them first.',
    },
  ],
  ['mandate_belongs_to_an_agent', { problem: 'agent_not_found', detail: 'No agent has this id.' }],
])

/** The pattern of a quoted constraint name in a message. */
const QUOTED = /"([a-z0-9_]+)"/g
/** A distributed store keeps each part of a table under a name that ends with a number. */
const PART_NUMBER = /_\d+$/

/**
 * Returns the problem that a caller sees when a statement breaks a constraint. Returns undefined
 * for a constraint that no request can break: that is a defect of ours, and the response says so.
 *
 * The error does not always have a field with the constraint's name, so the function searches the
 * message too.
 */
export function problemOfConstraint(
  { constraint, message }: { readonly constraint: string | undefined; readonly message: string },
  cause: unknown,
  ofPaths: Refusals,
): Problem | undefined {
  const quoted = [...message.matchAll(QUOTED)].map(([, name]) => name)
  const names = [constraint, ...quoted].map((name) => name?.replace(PART_NUMBER, '') ?? '')
  const refusal = names
    .map((name) => REFUSALS.get(name) ?? ofPaths.get(name))
    .find((found) => found !== undefined)
  return refusal && new Problem(refusal.problem, refusal.detail, { cause })
}

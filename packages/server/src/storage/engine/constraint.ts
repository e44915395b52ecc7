import { Problem, type ProblemCode } from '../../errors.ts'

interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
}

const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  [
    'one_active_mandate_per_agent',
    {
      code: 'mandate_conflict',
      detail: 'The agent already has an active mandate. Revoke it before activating another.',
    },
  ],
  [
    'external_id_is_unique',
    {
      code: 'external_id_taken',
      detail:
        'Another agent of the organization has this externalId. Choose another one, or update that agent.',
    },
  ],
  [
    'vendor_host_is_unique',
    {
      code: 'vendor_host_taken',
      detail: 'The directory has an entry for this host. Change that one with PATCH /vendors/:id.',
    },
  ],
  [
    'parent_mandate_exists',
    {
      code: 'mandate_has_children',
      detail: 'The mandate has sub-mandates. Delete those first, or revoke them.',
    },
  ],
  [
    'mandate_belongs_to_an_agent',
    { code: 'agent_not_found', detail: 'There is no agent with this id.' },
  ],
])

/**
 * The problem that a caller sees when a statement breaks the named constraint. Undefined for a
 * constraint that no request can break: that is a defect, and is answered as one.
 */
export function problemOfConstraint(constraint: string, cause: unknown): Problem | undefined {
  const refusal = REFUSALS.get(constraint)
  if (refusal === undefined) return undefined
  return new Problem(refusal.code, refusal.detail, { cause })
}

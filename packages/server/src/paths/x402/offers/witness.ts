import type { Decision } from '../../../core/decision/decide.ts'
import { sharedCodes } from '../../../core/rules/codes.ts'
import { getOrganization } from '../../../storage/organizations.ts'
import type { CallSlots } from '../../call-slots.ts'
import type { PathParts } from '../../path.ts'
import type { PayRequest } from '../pay-request.ts'
import { askSeller } from './probe.ts'
import { type Terms, toSpend, type Witness } from './terms.ts'

interface WitnessParts extends Pick<PathParts, 'db' | 'gateway' | 'outbound' | 'now'> {
  readonly slots: CallSlots
}

/**
 * Finds the party that vouches for the payee if the directory does not. The agent's word is not
 * enough if a rule of the mandate reads the vendor, or if the payment request names a different
 * vendor. Then the gateway asks the vendor, if the organization allows such calls.
 *
 * The gateway asks only if the answer matters. It does not call a vendor at which the agent may not
 * spend, and makes no call for an agent that may not spend at all.
 */
export async function findWitness(
  parts: WitnessParts,
  request: PayRequest,
  terms: Terms,
): Promise<Witness> {
  const isPinned = (terms.directory?.payees.length ?? 0) > 0
  if (isPinned) return 'agent'
  const { callsSellers } = await getOrganization(parts.db, request.organizationId)
  if (!callsSellers) return 'agent'
  const judgeWith = (witness: Witness): Promise<Decision> =>
    parts.gateway.preview(toSpend(request, terms, witness, parts.now()), undefined)
  const matters =
    doubtsPayee(await judgeWith('agent')) && (await judgeWith('vendor')).decision === 'approved'
  return matters
    ? parts.slots.take(request, () => askSeller(parts.outbound, request, terms))
    : 'agent'
}

function doubtsPayee({ details, code }: Decision): boolean {
  const doubt = sharedCodes.payee_mismatch.code
  return code === doubt || details.rules.some((rule) => rule.code === doubt)
}

import { Problem } from '../../../base/errors.ts'
import { actsFor, hasScope } from '../../../core/api-key.ts'
import { toPublicId } from '../../../core/id.ts'
import type { FlowParts } from '../flow-parts.ts'
import { ACP_PROBLEMS } from '../problems.ts'
import { findSessionUse } from '../storage/checkouts.ts'
import type { AcpCheckout } from './checkout.ts'
import type { Asker } from './request.ts'

type SessionPlace = Pick<AcpCheckout, 'vendorId' | 'sessionId'>

/**
 * Refuses a session that another checkout of the organization uses. Names that checkout if the
 * caller may see it.
 */
export async function requireUnused(
  { db }: Pick<FlowParts, 'db'>,
  asker: Pick<Asker, 'organizationId' | 'askedBy'>,
  place: SessionPlace,
): Promise<void> {
  const use = await findSessionUse(db, asker.organizationId, place)
  if (use) throw sessionUsed(asker.askedBy, use)
}

/** Does the same for a decision that lost the race against another checkout of the session. */
export async function namingUse<Result>(
  parts: Pick<FlowParts, 'db'>,
  asker: Pick<Asker, 'organizationId' | 'askedBy'>,
  place: SessionPlace,
  deciding: Promise<Result>,
): Promise<Result> {
  try {
    return await deciding
  } catch (err) {
    if (err instanceof Problem && err.code === ACP_PROBLEMS.acp_session_used.code) {
      await requireUnused(parts, asker, place)
    }
    throw err
  }
}

function sessionUsed(
  askedBy: Asker['askedBy'],
  { id, agentId }: Pick<AcpCheckout, 'id' | 'agentId'>,
): Problem {
  const maySee = actsFor(askedBy, agentId) && hasScope(askedBy, 'transactions:read')
  const transactionId = toPublicId('txn', id)
  const by = maySee ? `The checkout ${transactionId}` : 'Another checkout of the organization'
  return new Problem(
    ACP_PROBLEMS.acp_session_used,
    `${by} is paying this session or has paid it. Nothing was decided. Open a new session to buy again.`,
    { ...(maySee && { extra: { transactionId } }) },
  )
}

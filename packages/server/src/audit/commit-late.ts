import { isDecision, payloadOf, type Source } from '../core/audit/source.ts'
import { commitChanges, commitEvents, makeCommitment } from '../storage/audit/commit.ts'
import { findDecisionFacts } from '../storage/audit/sources.ts'
import type { Tx } from '../storage/engine/database.ts'

/**
 * Commits to rows of an older gateway, which ran while this one was installed. It knew nothing of
 * commitments, and gave no receipts.
 */
export async function commitLate(
  tx: Tx,
  organizationId: string,
  sources: readonly Source[],
): Promise<Map<bigint, string>> {
  const late = sources.filter(({ commitment }) => commitment === null)
  if (late.length === 0) return new Map()
  const ids = late.filter(isDecision).map(({ id }) => id)
  const facts = await findDecisionFacts(tx, organizationId, ids)
  const made = late.map((source) => {
    const decision = source.type === 'event' ? facts.get(source.id) : undefined
    const payload = payloadOf(source, decision) ?? {}
    return { source, number: source.number, ...makeCommitment({ ...Object(payload) }) }
  })
  const events = made.flatMap(({ source, ...commitment }) =>
    source.type === 'event' ? [{ id: source.id, ...commitment }] : [],
  )
  const changes = made.filter(({ source }) => source.type === 'change')
  if (events.length > 0) tx.send(commitEvents(organizationId, events))
  if (changes.length > 0) tx.send(commitChanges(organizationId, changes))
  return new Map(made.map(({ number, commitment }) => [number, commitment]))
}

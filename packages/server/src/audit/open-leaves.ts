import type { LeafLine } from '@purser/audit'
import { BEGINNING, beginningOf } from '../core/audit/payloads.ts'
import { isDecision, payloadOf, type Source } from '../core/audit/source.ts'
import { toIso } from '../core/time/instant.ts'
import { findBegunWith } from '../storage/audit/logs.ts'
import type { StoredLeaf } from '../storage/audit/read-leaves.ts'
import { findDecisionFacts, findSources } from '../storage/audit/sources.ts'
import type { Queryable } from '../storage/engine/database.ts'

/**
 * Returns leaves with the payloads they commit to, as far as retention has kept these. It compares
 * nothing: if a row was changed behind the gateway's back, the verifier must see that.
 */
export async function openLeaves(
  db: Queryable,
  organizationId: string,
  leaves: readonly StoredLeaf[],
): Promise<LeafLine[]> {
  const numbers = leaves.filter(({ kind }) => kind !== BEGINNING).map(({ number }) => number)
  const sources = await findSources(db, organizationId, numbers)
  const decided = [...sources.values()].filter(isDecision).map(({ id }) => id)
  const facts = await findDecisionFacts(db, organizationId, decided)
  const isFirst = numbers.length < leaves.length
  const begunWith = isFirst ? await findBegunWith(db, organizationId) : null
  return leaves.map((leaf) => {
    const line = toLine(leaf)
    if (leaf.kind === BEGINNING) {
      const at = toIso(leaf.at)
      const { payload, salt } = beginningOf(organizationId, leaf.number, begunWith, at)
      return { ...line, opening: { payload, salt } }
    }
    const source = sources.get(leaf.number)
    const opening = source && openingOf(source, facts)
    return opening ? { ...line, opening } : line
  })
}

function toLine({ index, hash, commitment, at, kind, subject, actorId }: StoredLeaf): LeafLine {
  const told = { kind, subject, at: toIso(at), actorId, commitment: commitment.toString('hex') }
  return { type: 'leaf', index, hash, leaf: { version: 1, ...told } }
}

function openingOf(
  source: Source,
  facts: Awaited<ReturnType<typeof findDecisionFacts>>,
): LeafLine['opening'] {
  const payload = payloadOf(source, source.type === 'event' ? facts.get(source.id) : undefined)
  return payload === undefined || source.salt === null ? undefined : { payload, salt: source.salt }
}

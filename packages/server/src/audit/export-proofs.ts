import { logOf } from '../core/audit/decision-leaf.ts'
import { toPublicId } from '../core/id.ts'
import type { SignedHead } from '../storage/audit/logs.ts'
import { listDecisionLeaves } from '../storage/audit/read-leaves.ts'
import type { Database } from '../storage/engine/database.ts'
import { toText } from './export-log.ts'
import { openLeaves } from './open-leaves.ts'
import { proveInclusions } from './proofs.ts'

/**
 * Exports the leaves of some decisions, each with its inclusion proof, as lines that `purser
 * verify` reads. They are ordered by transaction, like the pages, so a client can continue after
 * the last line. Transactions that are not signed yet, or are older than the audit log, have no
 * line.
 */
export async function* exportProofs(
  db: Database,
  organizationId: string,
  pages: AsyncIterable<readonly string[]>,
  { size, note }: SignedHead,
): AsyncGenerator<string> {
  const log = logOf(organizationId)
  yield toText({ type: 'header', version: 1, log, content: 'proofs', from: 0, frontier: [] })
  yield toText({ type: 'checkpoint', note })
  for await (const ids of pages) {
    const subjects = ids.map((id) => toPublicId('txn', id))
    const leaves = await listDecisionLeaves(db, organizationId, subjects, size)
    const indexes = leaves.map(({ index }) => index)
    const [lines, proofs] = await Promise.all([
      openLeaves(db, organizationId, leaves),
      proveInclusions(db, organizationId, indexes, size),
    ])
    const text = lines.map((line, place) => toText({ ...line, proof: proofs?.[place] ?? [] }))
    if (text.length > 0) yield text.join('')
  }
}

import { type ExportLine, writeExportLine } from '@purser/audit'
import { logOf } from '../core/audit/decision-leaf.ts'
import { toPublicId } from '../core/id.ts'
import type { SignedHead } from '../storage/audit/logs.ts'
import { listDecisionLeaves, listLeaves } from '../storage/audit/read-leaves.ts'
import type { Database } from '../storage/engine/database.ts'
import { openLeaves } from './open-leaves.ts'
import { proveInclusions, readFrontier } from './proofs.ts'

const LEAVES_AT_ONCE = 500

/**
 * Exports all leaves from an index up to the last signed one, as lines that `purser verify` reads.
 * Pages are read only as fast as the receiver takes them, each in a query of its own.
 */
export async function* exportLog(
  db: Database,
  organizationId: string,
  from: number,
  { size, note }: SignedHead,
): AsyncGenerator<string> {
  const log = logOf(organizationId)
  const frontier = await readFrontier(db, organizationId, from)
  yield toText({ type: 'header', version: 1, log, content: 'leaves', from, frontier })
  for (let at = from; at < size; at += LEAVES_AT_ONCE) {
    const end = Math.min(size, at + LEAVES_AT_ONCE)
    const leaves = await listLeaves(db, organizationId, at, end)
    const lines = await openLeaves(db, organizationId, leaves)
    yield lines.map(toText).join('')
  }
  yield toText({ type: 'checkpoint', note })
}

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

function toText(line: ExportLine): string {
  const text = writeExportLine(line)
  if (text === undefined) throw new Error('A leaf of the audit log has a payload without a text.')
  return `${text}\n`
}

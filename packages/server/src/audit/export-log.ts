import { type ExportLine, writeExportLine } from '@purser/audit'
import { logOf } from '../core/audit/decision-leaf.ts'
import type { SignedHead } from '../storage/audit/logs.ts'
import { listLeaves } from '../storage/audit/read-leaves.ts'
import type { Database } from '../storage/engine/database.ts'
import { openLeaves } from './open-leaves.ts'
import { readFrontier } from './proofs.ts'

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

export function toText(line: ExportLine): string {
  const text = writeExportLine(line)
  if (text === undefined) throw new Error('A leaf of the audit log has a payload without a text.')
  return `${text}\n`
}

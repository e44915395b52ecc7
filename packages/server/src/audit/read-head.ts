import { findHead, type SignedHead } from '../storage/audit/logs.ts'
import type { Database } from '../storage/engine/database.ts'
import type { LogKeys } from './log-keys.ts'

export interface HeadParts {
  readonly db: Database
  readonly logKeys: LogKeys
}

/**
 * The last checkpoint of an audit log, signed by all current signers. Undefined if there is none.
 */
export async function readHead(
  { db, logKeys }: HeadParts,
  organizationId: string,
): Promise<SignedHead | undefined> {
  const head = await findHead(db, organizationId)
  return head && { ...head, note: await logKeys.complete(organizationId, head.note) }
}

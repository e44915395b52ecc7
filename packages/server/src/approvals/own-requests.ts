import type { Approval } from '../core/approvals/approval.ts'
import type { Principal } from '../core/principal.ts'
import { listMakersOf } from '../storage/approvals/decisions.ts'
import type { Queryable } from '../storage/engine/database.ts'

/** The key and the keys and member that created it, or the member. */
export async function makersOf(
  db: Queryable,
  { kind, id, organizationId }: Principal,
): Promise<readonly string[]> {
  return kind === 'key' ? listMakersOf(db, organizationId, id) : [id]
}

/** A key that the asking key or member created is under their control. */
export function isOwnRequest({ askedBy }: Approval, makers: readonly string[]): boolean {
  return askedBy.some((asker) => makers.includes(asker))
}

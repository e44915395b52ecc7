import { GATEWAY } from '../core/actor.ts'
import type { Fields } from '../core/change.ts'
import { toPublicId } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'
import { recordChange } from '../storage/changes.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { lockOrganization } from '../storage/organizations.ts'

/**
 * Records each removal in the audit log before it happens: if data are missing without such a
 * record, the gateway did not remove them.
 */
export async function sayPruned(
  db: Database,
  organizationId: string,
  at: Instant,
  after: Fields,
  note: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const subjectId = toPublicId('org', organizationId)
  await db.transaction(async (tx) => {
    // The change commits to the organization's row, so the row must not change meanwhile.
    await lockOrganization(tx, organizationId)
    await note(tx)
    const pruned = { operation: 'organization.pruned', subjectId, at, before: null, after } as const
    recordChange(tx, organizationId, GATEWAY, pruned)
  })
}

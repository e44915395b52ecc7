import { actorText } from '../core/actor.ts'
import type { Change } from '../core/change.ts'
import { toPublicId } from '../core/id.ts'
import { toIso } from '../core/time/instant.ts'
import type { Storage } from '../process/open-storage.ts'
import { findTheOrganization } from '../process/setup.ts'
import { listLatestChanges } from '../storage/changes.ts'

/** A change record in the form that the operator sees. */
export interface ListedChange extends Pick<Change, 'operation' | 'subjectId' | 'before' | 'after'> {
  readonly id: string
  readonly at: string
  /** Such as key_…, mem_… or cli. */
  readonly actor: string
  readonly actorName: string | null
}

/**
 * The latest changes of an organization, newest first. If there are several organizations, one must
 * be named. Throws a readable error.
 */
export function readChanges(
  { db }: Pick<Storage, 'db'>,
  organizationId: string | undefined,
  limit: number,
): Promise<ListedChange[]> {
  return db.transaction(async (tx) => {
    const id = await findTheOrganization(tx, organizationId)
    return (await listLatestChanges(tx, id, limit)).map(toListed)
  })
}

function toListed({ id, at, actor, operation, subjectId, before, after }: Change): ListedChange {
  return {
    id: toPublicId('chg', id),
    at: toIso(at),
    actor: actorText(actor),
    actorName: actor.name,
    operation,
    subjectId,
    before,
    after,
  }
}

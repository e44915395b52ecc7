import { uuidOfSubject } from '../../core/audit/subject-id.ts'
import type { StoredLeaf } from '../../storage/audit/read-leaves.ts'
import { findMissing, listLeavesAbout, TABLES, type Thing } from '../../storage/reconcile/things.ts'
import type { Moment } from './place.ts'

/** Rows that the gateway itself removes: links after they are used or expired. */
const REMOVED_LATER: ReadonlySet<string> = new Set(['invitation'])

/** Finds a thing that a change created and whose row is missing, although no change deleted it. */
export async function findLostRow(
  { tx }: Moment,
  organizationId: string,
  leaves: readonly StoredLeaf[],
): Promise<string | undefined> {
  const made = leaves.filter(({ kind }) => /^change\.\w+\.(created|joined|decided)$/.test(kind))
  for (const thing of Object.keys(TABLES) as Thing[]) {
    if (REMOVED_LATER.has(thing)) continue
    const own = made.filter(({ kind }) => kind.startsWith(`change.${thing}.`))
    const ids = new Map(own.map(({ subject }) => [uuidOfSubject(thing, subject) ?? '', subject]))
    ids.delete('')
    if (ids.size === 0) continue
    for (const id of await findMissing(tx, organizationId, thing, [...ids.keys()])) {
      const subject = ids.get(id) ?? id
      if (!(await isExcused(tx, organizationId, thing, subject))) {
        return `The row of ${subject} in ${TABLES[thing]} is missing, and no leaf says that it was deleted.`
      }
    }
  }
  return undefined
}

/**
 * Only drafts of mandates are deleted. If the agent or the parent draft is deleted, they have no
 * leaf of their own.
 */
async function isExcused(
  tx: Moment['tx'],
  organizationId: string,
  thing: Thing,
  subject: string,
): Promise<boolean> {
  if (thing !== 'mandate') return false
  const activations = { subjects: [subject], kinds: ['change.mandate.activated'] }
  const active = await listLeavesAbout(tx, organizationId, { ...activations, unsealedAfter: null })
  return active.length === 0
}

import type { Change } from '../../src/core/change.ts'
import { listChangesAfter } from '../../src/storage/changes.ts'
import type { Owner, TestApp } from './app.ts'

/** The change records of the organization since `after`, oldest first; all of them without it. */
export async function changesOf(
  app: TestApp,
  { organizationId }: Pick<Owner, 'organizationId'>,
  after = 0n,
): Promise<Change[]> {
  return listChangesAfter(app.database.db, organizationId, after, 1_000)
}

/** Marks this moment. Returns a function that lists the changes since then. */
export async function watchChanges(
  app: TestApp,
  owner: Pick<Owner, 'organizationId'>,
): Promise<() => Promise<Change[]>> {
  const before = await changesOf(app, owner)
  const last = before.at(-1)?.number ?? 0n
  return () => changesOf(app, owner, last)
}

import { changedMeanwhile, type FieldChange, mergeChanges } from '../core/changed-meanwhile.ts'
import { toPublicId } from '../core/id.ts'
import { changedTerms, type Mandate } from '../core/mandates/mandate.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { type ExpectedState, findOutdated } from '../http/expected-state.ts'
import { readActorNames } from '../storage/actor-names.ts'
import { listChangesOf } from '../storage/changes.ts'
import type { Tx } from '../storage/engine/database.ts'
import { findVersion } from '../storage/mandate-versions.ts'

/** A thing whose state the caller names by its time. The caller has locked it. */
interface Thing {
  readonly what: 'agent' | 'organization' | 'mandate'
  /** The API's id. */
  readonly id: string
  readonly updatedAt: Instant
  readonly updatedBy: string | null
}

/** Refuses a change of an agent or of the organization that was made from an outdated state. */
export async function requireExpected(
  tx: Tx,
  organizationId: string,
  expected: readonly ExpectedState[],
  thing: Thing,
): Promise<void> {
  const outdated = findOutdated(expected, thing)
  if (outdated) throw await changedSince(tx, organizationId, thing, outdated.updatedAt)
}

/**
 * Refuses a change of a mandate that was made from an outdated state. Every change of an active mandate
 * raises its version. A draft keeps its version, so its state is named by its time.
 */
export async function requireExpectedMandate(
  tx: Tx,
  organizationId: string,
  expected: readonly ExpectedState[],
  mandate: Mandate,
): Promise<void> {
  const outdated = findOutdated(expected, mandate)
  if (!outdated) return
  const { version, updatedAt } = outdated
  if (version !== undefined && version !== mandate.version) {
    throw await changedVersion(tx, organizationId, mandate, version)
  }
  const thing = { ...mandate, what: 'mandate', id: toPublicId('mnd', mandate.id) } as const
  throw await changedSince(tx, organizationId, thing, updatedAt)
}

/** The change records say which fields have changed, unless there were very many records since. */
async function changedSince(
  tx: Tx,
  organizationId: string,
  { what, id, updatedAt, updatedBy }: Thing,
  since: Instant | undefined,
) {
  const records = since === undefined ? [] : await listChangesOf(tx, organizationId, id, since)
  return changedMeanwhile(what, {
    current: toIso(updatedAt),
    changedBy: await named(tx, organizationId, updatedBy),
    changedAt: updatedAt,
    changes: mergeChanges(records),
  })
}

async function changedVersion(tx: Tx, organizationId: string, mandate: Mandate, version: number) {
  const before = await findVersion(tx, organizationId, mandate.id, version)
  const changes: readonly FieldChange[] = before ? changedTerms(before, mandate) : []
  return changedMeanwhile('mandate', {
    current: mandate.version,
    changedBy: await named(tx, organizationId, mandate.updatedBy),
    changedAt: mandate.updatedAt,
    changes,
  })
}

async function named(tx: Tx, organizationId: string, actor: string | null) {
  if (actor === null) return null
  const nameOf = await readActorNames(tx, organizationId, [actor])
  return { id: actor, name: nameOf(actor) }
}

import { isSameJson } from '@purser/audit'
import { Problem } from '../base/errors.ts'
import type { NewChange } from './change.ts'
import { type Instant, toIso } from './time/instant.ts'

/** A field that differs from the state that a caller expected. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** The current state of a thing, and its changes since the expected state. */
export interface CurrentState {
  /** The version or `updatedAt`, in the form in which the caller sent the expected one. */
  readonly current: number | string
  readonly changedBy: { readonly id: string; readonly name: string | null } | null
  readonly changedAt: Instant
  readonly changes: readonly FieldChange[]
}

const CHANGES_MAX = 50
const CHANGES_BYTES_MAX = 16_000

/**
 * The answer to a change that was made from an outdated state. It lists the changes since then, within
 * bounds, so that a person can compare them with their own.
 */
export function changedMeanwhile(thing: string, state: CurrentState): Problem {
  const { current, changedBy, changedAt, changes } = state
  const listed = bounded(changes)
  const actor = changedBy?.name ?? changedBy?.id ?? 'Another request'
  const left = changes.length - listed.length
  return new Problem(
    'changed_meanwhile',
    `${actor} changed the ${thing} at ${toIso(changedAt)}, so nothing was changed now. Compare the changes with yours, then send the request again with the current state (${current}).`,
    {
      extra: {
        current,
        changedBy,
        changedAt: toIso(changedAt),
        changes: listed,
        ...(left > 0 && { changesLeftOut: left }),
      },
    },
  )
}

/** Returns the first changes that fit into an answer. */
function bounded(changes: readonly FieldChange[]): FieldChange[] {
  const listed: FieldChange[] = []
  let bytes = 0
  for (const change of changes.slice(0, CHANGES_MAX)) {
    bytes += Buffer.byteLength(JSON.stringify(change))
    if (bytes > CHANGES_BYTES_MAX) break
    listed.push(change)
  }
  return listed
}

/**
 * Merges consecutive change records of one thing: each field with its value before the first and after
 * the last record. A field that has its old value again is left out.
 */
export function mergeChanges(
  records: readonly Pick<NewChange, 'before' | 'after'>[],
): FieldChange[] {
  const merged = new Map<string, FieldChange>()
  for (const { before, after } of records) {
    for (const field of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
      const first = merged.get(field) ?? { before: before?.[field] ?? null }
      merged.set(field, { field, before: first.before, after: after?.[field] ?? null })
    }
  }
  return [...merged.values()].filter(({ before, after }) => !isSameJson(before, after))
}

/**
 * The time of a change that must differ from the one before, because callers name the state that they
 * expect by its time. Two changes can fall into one millisecond, and clocks of processes differ.
 */
export function laterThan(before: Instant, now: Instant): Instant {
  return Math.max(now, Math.trunc(before) + 1)
}

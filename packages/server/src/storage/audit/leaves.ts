import { HASH_BYTES, type LeafSubject, nodeBegins } from '@purser/audit'
import type { Statement } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import type { FeedRange } from './sources.ts'

/** What a log grows by: leaves that are appended together, in their order. */
export interface Growth {
  /** The index of the first leaf. */
  readonly first: number
  /** The hashes of all leaves, one after the other. */
  readonly hashes: Buffer
  /** The roots of the subtrees that end with them, as the frontier gives them. */
  readonly nodes: Uint8Array
}

/** Leaves of decisions, by their numbers in the feed and their places in the growth. */
export interface DecisionLeaves {
  readonly numbers: readonly number[]
  readonly places: readonly number[]
}

/** The leaf of something else. */
export interface NewLeaf extends LeafSubject {
  readonly number: bigint
  readonly place: number
  /** In hexadecimal digits. */
  readonly commitment: string
}

/** What every leaf takes from the growth. Half of all leaves complete nothing but themselves. */
const PLACED = `
  $2::bigint + l.place, substr($3::bytea, l.place * ${HASH_BYTES} + 1, ${HASH_BYTES}),
  case when l.nodes > 0
       then substr($4::bytea, l.node * ${HASH_BYTES} + 1, l.nodes * ${HASH_BYTES}) end`

/** The values of `$1` to `$7`: the growth, and where in it each of these leaves is. */
function placedValues(
  organizationId: string,
  { first, hashes, nodes }: Growth,
  places: readonly number[],
): unknown[] {
  const begins = nodeBegins(first, hashes.length / HASH_BYTES)
  const counts = places.map((place) => (begins[place + 1] ?? 0) - (begins[place] ?? 0))
  return [
    ...[organizationId, first, hashes, nodes, plainArray(places)],
    ...[plainArray(places.map((place) => begins[place] ?? 0)), plainArray(counts)],
  ]
}

/**
 * Appends leaves of decisions to the log whose lock the caller holds. What they say is taken from the
 * rows of this range. If one of these were gone by now, nothing would be stored: no column may be null.
 */
export function insertDecisionLeaves(
  organizationId: string,
  growth: Growth,
  { numbers, places }: DecisionLeaves,
  { after, to }: FeedRange,
): Statement {
  return {
    name: 'insert-decision-leaves',
    text: INSERT_DECISION_LEAVES,
    values: [...placedValues(organizationId, growth, places), ...[plainArray(numbers), after, to]],
  }
}

/** By `+ 0` the range is read once: otherwise it looks for each number in each month of events. */
const INSERT_DECISION_LEAVES = `
  insert into audit_leaves (organization_id, index, hash, nodes, number, kind, subject, at, actor_id,
                            commitment)
  select $1, ${PLACED}, l.number, e.kind, 'txn_' || replace(e.id::text, '-', ''), e.occurred_at,
         e.agent_id::text, e.commitment
  from unnest($5::int[], $6::int[], $7::int[], $8::bigint[]) as l (place, node, nodes, number)
    left join webhook_events e
      on e.organization_id = $1 and e.number > $9 and e.number <= $10 and e.number + 0 = l.number`

/** Appends leaves of anything else, in the same growth. */
export function insertLeaves(
  organizationId: string,
  growth: Growth,
  leaves: readonly NewLeaf[],
): Statement {
  return {
    name: 'insert-leaves',
    text: INSERT_LEAVES,
    values: [
      ...placedValues(
        organizationId,
        growth,
        leaves.map(({ place }) => place),
      ),
      plainArray(leaves.map(({ number }) => number)),
      plainArray(leaves.map(({ kind }) => kind)),
      textArray(leaves.map(({ subject }) => subject)),
      plainArray(leaves.map(({ at }) => at)),
      textArray(leaves.map(({ actorId }) => actorId)),
      plainArray(leaves.map(({ commitment }) => commitment)),
    ],
  }
}

const INSERT_LEAVES = `
  insert into audit_leaves (organization_id, index, hash, nodes, number, kind, subject, at, actor_id,
                            commitment)
  select $1, ${PLACED}, l.number, l.kind, l.subject, l.at, l.actor_id, decode(l.commitment, 'hex')
  from unnest($5::int[], $6::int[], $7::int[], $8::bigint[], $9::text[], ${texts('$10')},
              $11::timestamptz[], ${texts('$12')}, $13::text[])
    as l (place, node, nodes, number, kind, subject, at, actor_id, commitment)`

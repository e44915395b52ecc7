import { HASH_BYTES, type LeafSubject, nodeBegins } from '@purser/audit'
import type { Statement } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import type { FeedRange } from './sources.ts'

/** Leaves that are appended to an audit log together, in their order. */
export interface Growth {
  /** The index of the first leaf. */
  readonly first: number
  /** The hashes of all leaves, one after the other. */
  readonly hashes: Buffer
  /** The roots of the subtrees that these leaves complete, in the order of the frontier. */
  readonly nodes: Uint8Array
}

/** Leaves of decisions: their numbers in the feed, and their places in the growth. */
export interface DecisionLeaves {
  readonly numbers: readonly number[]
  readonly places: readonly number[]
}

/** The leaf of an event or change other than a decision. */
export interface NewLeaf extends LeafSubject {
  readonly number: bigint
  readonly place: number
  /** The commitment in hexadecimal digits. */
  readonly commitment: string
}

/** The columns that each leaf takes from the growth. Half of all leaves complete no subtree. */
const PLACED = `
  $2::bigint + l.place, substr($3::bytea, l.place * ${HASH_BYTES} + 1, ${HASH_BYTES}),
  case when l.nodes > 0
       then substr($4::bytea, l.node * ${HASH_BYTES} + 1, l.nodes * ${HASH_BYTES}) end`

/** The values of `$1` to `$7`: the growth, and the place of each of these leaves in it. */
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
 * Appends leaves of decisions to the audit log whose lock the caller holds. Their content comes
 * from the rows of this range. If one of these rows were gone by now, the statement would fail and
 * store nothing, because no column may be null.
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

/**
 * The `+ 0` makes the planner read the range once; otherwise it searches each monthly partition of
 * events for each number.
 */
const INSERT_DECISION_LEAVES = `
  insert into audit_leaves (organization_id, index, hash, nodes, number, kind, subject, at, actor_id,
                            commitment)
  select $1, ${PLACED}, l.number, e.kind, 'txn_' || replace(e.id::text, '-', ''), e.occurred_at,
         e.agent_id::text, e.commitment
  from unnest($5::int[], $6::int[], $7::int[], $8::bigint[]) as l (place, node, nodes, number)
    left join webhook_events e
      on e.organization_id = $1 and e.number > $9 and e.number <= $10 and e.number + 0 = l.number`

/** Appends all other leaves of the same growth. */
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

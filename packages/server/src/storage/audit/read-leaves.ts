import { type Hash, type NodeAddress, placeOf, splitHashes } from '@purser/audit'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/** A leaf of the audit log as it is stored. */
export interface StoredLeaf {
  readonly index: number
  readonly number: bigint
  readonly kind: string
  readonly subject: string
  readonly at: Instant
  readonly actorId: string | null
  readonly commitment: Buffer
  readonly hash: Buffer
}

type LeafRow = Omit<StoredLeaf, 'index'> & { readonly index: bigint }

const COLUMNS = 'index, number, kind, subject, at, actor_id as "actorId", commitment, hash'

function toLeaf({ index, ...row }: LeafRow): StoredLeaf {
  return { ...row, index: Number(index) }
}

/** The leaves from index `from` up to, but not including, `end`, in their order. */
export async function listLeaves(
  db: Queryable,
  organizationId: string,
  from: number,
  end: number,
): Promise<StoredLeaf[]> {
  const rows = await db.query<LeafRow>({
    name: 'list-leaves',
    text: `select ${COLUMNS} from audit_leaves
           where organization_id = $1 and index >= $2 and index < $3 order by index`,
    values: [organizationId, from, end],
  })
  return rows.map(toLeaf)
}

/**
 * The leaves of decisions about these transactions, among the first `end` leaves. They are ordered
 * by transaction, latest first, which is not the order of the audit log: processes make ids first
 * and commit later.
 */
export async function listDecisionLeaves(
  db: Queryable,
  organizationId: string,
  subjects: readonly string[],
  end: number,
): Promise<StoredLeaf[]> {
  const rows = await db.query<LeafRow>({
    name: 'list-decision-leaves',
    text: `select ${COLUMNS} from audit_leaves
           where organization_id = $1 and subject = any($2::text[]) and index < $3
             and kind in ('transaction.approved', 'transaction.rejected')
           order by subject collate "C" desc, index desc`,
    values: [organizationId, plainArray(subjects), end],
  })
  return rows.map(toLeaf)
}

export interface LeafFilter {
  readonly kinds: readonly string[] | undefined
  readonly subject: string | undefined
  readonly actorId: string | undefined
  readonly from: Instant | undefined
  readonly to: Instant | undefined
}

/** The last matching leaves between two indexes, newest first. */
export async function listLatestLeaves(
  db: Queryable,
  organizationId: string,
  { kinds, subject, actorId, from, to }: LeafFilter,
  { begin, end, limit }: { readonly begin: number; readonly end: number; readonly limit: number },
): Promise<StoredLeaf[]> {
  const conditions = ['organization_id = $1', 'index >= $2', 'index < $3']
  const values: unknown[] = [organizationId, begin, end, limit]
  const given: readonly (readonly [condition: string, value: string | undefined])[] = [
    ['subject =', subject],
    ['actor_id =', actorId],
    ['at >=', from === undefined ? undefined : toIso(from)],
    ['at <', to === undefined ? undefined : toIso(to)],
  ]
  for (const [condition, value] of given) {
    if (value !== undefined) conditions.push(`${condition} $${values.push(value)}`)
  }
  if (kinds !== undefined) conditions.push(`kind = any($${values.push(plainArray(kinds))}::text[])`)
  const rows = await db.query<LeafRow>({
    text: `select ${COLUMNS} from audit_leaves where ${conditions.join(' and ')}
           order by index desc limit $4`,
    values,
  })
  return rows.map(toLeaf)
}

/** Returns undefined if the audit log does not have such a leaf, or not yet. */
export async function findLeafIndex(
  db: Queryable,
  organizationId: string,
  hash: Hash,
): Promise<number | undefined> {
  const [row] = await db.query<{ index: bigint }>({
    name: 'find-leaf-index',
    text: 'select index from audit_leaves where organization_id = $1 and hash = $2 limit 1',
    values: [organizationId, hash],
  })
  return row && Number(row.index)
}

interface NodeRow {
  readonly index: bigint
  readonly hash: Buffer
  readonly nodes: Buffer | null
}

/** Reads nodes of the Merkle tree. Each node is stored with the leaf that completes it. */
export async function readNodes(
  db: Queryable,
  organizationId: string,
  addresses: readonly NodeAddress[],
): Promise<(address: NodeAddress) => Hash | undefined> {
  const positions = new Set(addresses.map((address) => placeOf(address).position))
  if (positions.size === 0) return () => undefined
  const rows = await db.query<NodeRow>({
    name: 'read-nodes',
    text: `select index, hash, nodes from audit_leaves
           where organization_id = $1 and index = any($2::bigint[])`,
    values: [organizationId, plainArray([...positions])],
  })
  const completed = new Map(
    rows.map(({ index, hash, nodes }) => [
      Number(index),
      [hash, ...(nodes ? splitHashes(nodes) : [])],
    ]),
  )
  return (address) => {
    const { position, level } = placeOf(address)
    return completed.get(position)?.[level]
  }
}

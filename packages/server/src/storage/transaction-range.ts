import { idAt } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'
import { CLOCK_WRONG_MS, readClockGap } from './clock-gaps.ts'
import type { Queryable } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'
import type { Condition } from './page.ts'

/** The filters that narrow down which transactions can match. */
export interface RangeFilter {
  readonly agents: readonly string[] | undefined
  readonly mandates: readonly string[] | undefined
  readonly statuses: readonly string[] | undefined
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  /** The agents that a bound key may see; null means all. */
  readonly agentIds: readonly string[] | null
}

/** The part of the indexes that has all transactions which a filter can match. */
interface TransactionRange {
  readonly conditions: readonly Condition[]
  readonly parts: readonly (readonly Condition[])[]
  /** A condition on the agents, if there are too many for a part of each. */
  readonly agents: readonly Condition[]
}

/** More agents than these are filtered. Merging more parts would cost more than it saves. */
const PARTS_MAX = 20
/** With more open holds than these, the newest transactions are searched for them. */
const HOLDS_MAX = 2_000

export async function findRange(
  db: Queryable,
  organizationId: string,
  filter: RangeFilter,
): Promise<TransactionRange> {
  const { from, to, mandates } = filter
  const isByTime = from !== undefined || to !== undefined || mandates !== undefined
  const gapMs = isByTime ? await readClockGap(db, organizationId) : 0
  const spans = mandates && (await readSpans(db, organizationId, mandates))
  const agents = sharedOf([filter.agents, filter.agentIds ?? undefined, spans && [...spans.keys()]])
  const isOfHolds = isOnlyHeld(filter) && (await hasFewHolds(db, organizationId))
  const conditions: Condition[] = [
    ['organization_id = ?', organizationId],
    ...idRange({ from, to }, gapMs),
    ...(isOfHolds ? [["status = 'held'"] as const] : []),
  ]
  if (agents === undefined) return { conditions, parts: [[]], agents: [] }
  if (agents.length === 0)
    return { conditions: [...conditions, ['false']], parts: [[]], agents: [] }
  if (agents.length > PARTS_MAX) {
    const condition = ['agent_id = any(?::uuid[])', plainArray(agents)] as const
    return { conditions, parts: [[]], agents: [condition] }
  }
  const parts = agents.map((agent): Condition[] => [
    ['agent_id = ?', agent],
    ...idRange(spans?.get(agent) ?? {}, gapMs + CLOCK_WRONG_MS),
  ])
  return { conditions, parts, agents: [] }
}

interface Span {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
}

/** A range of times as ids, because the indexes and the partitions are ordered by id. */
function idRange({ from, to }: Span, gapMs: number): Condition[] {
  return [
    ...(from === undefined ? [] : [['id >= ?', idAt(from - gapMs)] as const]),
    ...(to === undefined ? [] : [['id < ?', idAt(to + gapMs)] as const]),
  ]
}

/** The values that all given lists have; undefined if no list is given. */
function sharedOf(
  lists: readonly (readonly string[] | undefined)[],
): readonly string[] | undefined {
  return lists
    .filter((list) => list !== undefined)
    .reduce<readonly string[] | undefined>(
      (shared, list) => [...new Set(shared ? shared.filter((one) => list.includes(one)) : list)],
      undefined,
    )
}

/**
 * When transactions named the mandates, by agent. A mandate belongs to one agent. Decisions name it
 * from its activation until the agent's next mandate is activated: after it was revoked or has
 * expired, rejections still do. So its transactions are in one stretch of the agent's index. A draft
 * has none.
 */
async function readSpans(
  db: Queryable,
  organizationId: string,
  mandates: readonly string[],
): Promise<Map<string, Span>> {
  const rows = await db.query<{ agentId: string; from: Instant; to: Instant | null }>({
    name: 'read-mandate-spans',
    text: `
      select m.agent_id as "agentId", min(m.activated_at) as from,
             case when bool_and(e.ended_at is not null) then max(e.ended_at) end as to
      from mandates m
      cross join lateral (
        select min(next.activated_at) as ended_at
        from mandates next
        where next.organization_id = $1 and next.agent_id = m.agent_id
          and next.activated_at > m.activated_at
      ) e
      where m.organization_id = $1 and m.id = any($2::uuid[]) and m.activated_at is not null
      group by m.agent_id`,
    values: [organizationId, plainArray(mandates)],
  })
  return new Map(rows.map(({ agentId, from, to }) => [agentId, { from, to: to ?? undefined }]))
}

/** Only `held` names few transactions: `expired` also has those that ended long ago. */
function isOnlyHeld({ statuses }: RangeFilter): boolean {
  return statuses?.length === 1 && statuses[0] === 'held'
}

/** Whether the index of open holds has so few entries that all of them can be sorted by id. */
async function hasFewHolds(db: Queryable, organizationId: string): Promise<boolean> {
  const [more] = await db.query({
    name: 'has-many-holds',
    text: `select 1 from transactions where organization_id = $1 and status = 'held'
           order by expires_at, id limit 1 offset ${HOLDS_MAX}`,
    values: [organizationId],
  })
  return more === undefined
}

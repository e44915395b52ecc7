import type { RowState, RowTexts } from '../../core/audit/row-state.ts'
import { subjectSql } from '../../core/audit/subject-id.ts'
import type { Instant } from '../../core/time/instant.ts'
import { ROWS, type StatedThing } from '../audit/row-states.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/** The table of each kind of thing. */
export const TABLES = {
  organization: 'organizations',
  agent: 'agents',
  mandate: 'mandates',
  api_key: 'api_keys',
  member: 'members',
  invitation: 'invitations',
  vendor: 'vendors',
  wallet: 'wallets',
  card_connection: 'card_connections',
  card: 'cards',
  approval: 'approvals',
} as const satisfies Partial<Record<StatedThing, string>>

export type Thing = keyof typeof TABLES

/** A live row, and the state in which its last change left it. */
export interface ThingRow {
  readonly id: string
  readonly subject: string
  readonly row: RowTexts
  /** Whether any leaf names it. */
  readonly isNamed: boolean
  /** The index of the leaf of its last change; null if there is none. */
  readonly index: bigint | null
  /** Whether the change or event of that leaf still exists. */
  readonly isKept: boolean | null
  readonly salt: Buffer | null
  readonly state: RowState | null
}

/** The rows of one kind after an id, in id order. */
export async function listThings(
  db: Queryable,
  organizationId: string,
  thing: Thing,
  after: string,
  limit: number,
): Promise<ThingRow[]> {
  const rows = await listRows(db, organizationId, thing, after, limit)
  const states = await listStates(
    db,
    organizationId,
    rows.map(({ subject }) => subject),
  )
  const stateOf = new Map(states.map((state) => [state.subject, state]))
  return rows.map((row) => ({ ...UNSTATED, ...stateOf.get(row.subject), ...row }))
}

type LiveRow = Pick<ThingRow, 'id' | 'subject' | 'row'>
type StateRow = Omit<ThingRow, 'id' | 'row'>

const UNSTATED = { isNamed: false, index: null, isKept: null, salt: null, state: null }

function listRows(
  db: Queryable,
  organizationId: string,
  thing: Thing,
  after: string,
  limit: number,
): Promise<LiveRow[]> {
  const own = thing === 'organization' ? 'r.id' : 'r.organization_id'
  return db.query<LiveRow>({
    name: `reconcile-${thing}`,
    text: `
      select i.id, ${subjectSql(thing, 'i.id')} as subject,
             (select jsonb_object_agg(f.key, f.value)
              from jsonb_each_text((${ROWS[thing]('i.id')})) as f (key, value)) as row
      from (select r.id from ${TABLES[thing]} r where ${own} = $1 and r.id > $2
            order by r.id limit $3) i
      order by i.id`,
    values: [organizationId, after, limit],
  })
}

/**
 * The state that the last change of each subject left. This is not a part of the statement that reads
 * the rows, because keys and invitations are not in the same place as the audit log (ADR 27, rule 8).
 */
function listStates(
  db: Queryable,
  organizationId: string,
  subjects: readonly string[],
): Promise<StateRow[]> {
  return db.query<StateRow>({
    name: 'reconcile-states',
    text: `
      select w.subject,
             exists (select 1 from audit_leaves n
                     where n.organization_id = $1 and n.subject = w.subject) as "isNamed",
             s.index, s."isKept", s.salt, s.state
      from unnest($2::text[]) as w (subject)
      left join lateral (
        select l.index, coalesce(c.number, e.number) is not null as "isKept",
               coalesce(c.salt, e.salt) as salt, coalesce(c.state, e.state) as state
        from audit_leaves l
        left join changes c on c.organization_id = $1 and c.number = l.number
        left join webhook_events e on e.organization_id = $1 and e.number = l.number
        where l.organization_id = $1 and l.subject = w.subject
          and (l.kind like 'change.%' or l.kind like 'approval.%')
        order by l.index desc limit 1
      ) s on true`,
    values: [organizationId, plainArray(subjects)],
  })
}

/** The ids among these that have no row. */
export async function findMissing(
  db: Queryable,
  organizationId: string,
  thing: Thing,
  ids: readonly string[],
): Promise<string[]> {
  const own = thing === 'organization' ? 'r.id' : 'r.organization_id'
  const rows = await db.query<{ id: string }>({
    text: `
      select w.id from unnest($2::uuid[]) as w (id)
      where not exists (select 1 from ${TABLES[thing]} r where ${own} = $1 and r.id = w.id)`,
    values: [organizationId, plainArray(ids)],
  })
  return rows.map(({ id }) => id)
}

/** A leaf about a subject, or a change that will become one, without the payload. */
export interface NamedLeaf {
  readonly kind: string
  readonly at: Instant
  readonly actorId: string | null
}

export interface About {
  readonly subjects: readonly string[]
  readonly kinds: readonly string[]
  /** Changes after this number are included; null for leaves only. */
  readonly unsealedAfter: bigint | null
}

/** The newest leaves of these kinds about these subjects. */
export function listLeavesAbout(
  db: Queryable,
  organizationId: string,
  { subjects, kinds, unsealedAfter }: About,
): Promise<NamedLeaf[]> {
  return db.query<NamedLeaf>({
    text: `
      (select kind, at, actor_id as "actorId" from audit_leaves
       where organization_id = $1 and subject = any($2::text[]) and kind = any($3::text[])
       order by index desc limit 1000)
      union all
      (select 'change.' || c.operation, c.at,
              case c.actor_kind when 'key' then 'key_' || replace(c.actor_id::text, '-', '')
                                when 'member' then 'mem_' || replace(c.actor_id::text, '-', '')
                                else c.actor_kind end
       from changes c
       where c.organization_id = $1 and c.number > $4::bigint and c.subject_id = any($2::text[])
         and 'change.' || c.operation = any($3::text[])
       order by c.number desc limit 1000)`,
    values: [organizationId, plainArray(subjects), plainArray(kinds), unsealedAfter],
  })
}

/** The agents of a mandate and its ancestors. */
export async function listAgentsOfLine(
  db: Queryable,
  organizationId: string,
  mandateIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    text: `select agent_id as id from mandates where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(mandateIds)],
  })
  return rows.map(({ id }) => id)
}

/**
 * The agents that a key was bound to when it was created (`first`), and those of them that are not
 * deleted (`left`). Undefined if the key was not bound.
 */
export async function findBinding(
  db: Queryable,
  organizationId: string,
  subject: string,
): Promise<{ readonly first: string[]; readonly left: string[] } | undefined> {
  const [row] = await db.query<{ first: string[] | null; left: string[] | null }>({
    text: `
      select array_agg(b.id order by b.place) as first,
             array_agg(b.id order by b.place) filter (where a.deleted_at is null) as left
      from audit_leaves l
      join changes c on c.organization_id = $1 and c.number = l.number
      cross join lateral json_array_elements_text(c.after -> 'agentIds') with ordinality as b (id, place)
      left join agents a on a.organization_id = $1 and a.id = b.id::uuid
      where l.organization_id = $1 and l.subject = $2 and l.kind = 'change.api_key.created'
        and json_typeof(c.after -> 'agentIds') = 'array'`,
    values: [organizationId, subject],
  })
  return row?.first ? { first: row.first, left: row.left ?? [] } : undefined
}

/** The creators of a key, one after the other, in the form of `created_by`: plain ids for keys. */
export async function listMakers(
  db: Queryable,
  organizationId: string,
  createdBy: string,
): Promise<string[]> {
  const rows = await db.query<{ maker: string }>({
    text: `
      with recursive makers (maker) as (
        select $2::text
        union
        select k.created_by from makers m
        join api_keys k on k.organization_id = $1 and k.id::text = m.maker
        where k.created_by is not null
      )
      select maker from makers`,
    values: [organizationId, createdBy],
  })
  return rows.map(({ maker }) => maker)
}

/** Whether the connection is removed. It then stays removed, so its last change is the removal. */
export async function isRemovedConnection(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const rows = await db.query({
    text: `select 1 from card_connections
           where organization_id = $1 and id = $2 and status = 'removed'`,
    values: [organizationId, id],
  })
  return rows.length > 0
}

/**
 * Whether the use of an approval is consistent: a used one names the approved spend that used it at
 * that instant, and any other names none.
 */
export async function isUse(
  db: Queryable,
  organizationId: string,
  approvalId: string,
): Promise<boolean> {
  const rows = await db.query({
    text: `
      select 1 from approvals a
      left join transactions t
        on t.organization_id = $1 and t.id = a.used_by and t.approval_id = a.id
       and t.decision = 'approved' and t.created_at = a.used_at
      where a.organization_id = $1 and a.id = $2
        and (case when a.status = 'used' then t.id is not null
                  else a.used_by is null and a.used_at is null end)`,
    values: [organizationId, approvalId],
  })
  return rows.length > 0
}

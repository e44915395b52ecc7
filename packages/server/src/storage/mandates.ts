import { BOUNDING_TYPES, type ExposedMandate } from '../core/analytics/exposure.ts'
import type { Mandate, MandateStatus } from '../core/mandates/mandate.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'
import { type Condition, type Page, type PageRequest, pageOf } from './page.ts'
import { CURRENT_MANDATES } from './percent-used.ts'

const FROM = CURRENT_MANDATES

const COLUMNS = `
  m.id, m.agent_id as "agentId", m.parent_id as "parentMandateId", m.status, m.version,
  m.draft_of as "draftOf", m.draft_of_version as "draftOfVersion", v.name,
  v.currency, v.timezone, m.valid_from as "validFrom", m.valid_until as "validUntil",
  v.budget_period as "budgetPeriod", m.budget_total as "budgetTotal",
  m.budget_spent as "budgetSpent", m.budget_held as "budgetHeld",
  m.spent_period_start as "spentPeriodStart", v.rules, v.origins,
  v.warning_percents as "warningPercents", v.disclose_limits as "discloseLimits", m.created_at as "createdAt",
  m.activated_at as "activatedAt", m.revoked_at as "revokedAt", m.archived_at as "archivedAt",
  m.updated_at as "updatedAt", m.updated_by as "updatedBy"`

/** Only reads show the agent's name, which is there even after the agent's deletion. */
const SHOWN_COLUMNS = `${COLUMNS},
  (select a.name from agents a
   where a.organization_id = $1 and a.id = m.agent_id) as "agentName"`

/** A mandate with the fields that only reads show. */
export interface ShownMandate extends Mandate {
  readonly agentName: string | null
}

export async function findShownMandate(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ShownMandate | undefined> {
  const [mandate] = await db.query<ShownMandate>({
    text: `select ${SHOWN_COLUMNS} from ${FROM} where m.organization_id = $1 and m.id = $2`,
    values: [organizationId, id],
  })
  return mandate
}

export async function findMandate(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Mandate | undefined> {
  const [mandate] = await db.query<Mandate>({
    text: `select ${COLUMNS} from ${FROM} where m.organization_id = $1 and m.id = $2`,
    values: [organizationId, id],
  })
  return mandate
}

/** The id of the active mandate, other than this one, of the same agent. */
export async function findRival(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const [active] = await db.query<{ id: string }>({
    text: `
      select other.id from mandates own
      join mandates other on other.organization_id = $1 and other.agent_id = own.agent_id
        and other.status = 'active'
      where own.organization_id = $1 and own.id = $2 and other.id <> own.id`,
    values: [organizationId, id],
  })
  return active?.id
}

/** The ancestors of this mandate, nearest first. Writing a mandate limits their number. */
export async function findAncestors(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `
      select ${COLUMNS} from ${FROM}
      join mandates below on below.organization_id = m.organization_id and below.id = $2
        and m.id = any(below.ancestor_ids)
      where m.organization_id = $1 order by array_position(below.ancestor_ids, m.id)`,
    values: [organizationId, id],
  })
}

/** The agent's active mandate and its ancestors, nearest first. Empty if the agent has none. */
export function findActiveLine(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `
      select ${COLUMNS} from ${FROM}
      where m.organization_id = $1 and m.id = any(array(
        select unnest(own.id || own.ancestor_ids) from mandates own
        where own.organization_id = $1 and own.agent_id = $2 and own.status = 'active'))
      order by cardinality(m.ancestor_ids) desc`,
    values: [organizationId, agentId],
  })
}

export function findMandates(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `select ${COLUMNS} from ${FROM} where m.organization_id = $1 and m.id = any($2::uuid[])`,
    values: [organizationId, ids],
  })
}

/** The number of drafts of the mandate's next version. They belong to the same agent. */
export async function countDraftsOf(
  db: Queryable,
  organizationId: string,
  { id, agentId }: Pick<Mandate, 'id' | 'agentId'>,
): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-drafts-of',
    text: `select count(*) as count from mandates
           where organization_id = $1 and agent_id = $2 and draft_of = $3`,
    values: [organizationId, agentId, id],
  })
  return Number(row?.count ?? 0n)
}

export interface MandateFilter {
  readonly agentId: string | undefined
  readonly status: MandateStatus | undefined
  readonly parentMandateId: string | undefined
  readonly draftOf: string | undefined
  readonly archived: boolean
  /** A part of the mandate's or the agent's name. */
  readonly q: string | undefined
  /** The agents that a bound key may see; null means all. */
  readonly agentIds: readonly string[] | null
}

/** `rank` orders the mandates; without it, the newest come first. */
export function listMandates(
  db: Queryable,
  organizationId: string,
  filter: MandateFilter,
  now: Instant,
  page: PageRequest,
  rank?: Condition,
): Promise<Page<ShownMandate>> {
  const conditions: Condition[] = [['m.organization_id = ?', organizationId]]
  const filters: Condition[] = [[`m.archived_at is ${filter.archived ? 'not ' : ''}null`]]
  if (filter.agentId !== undefined) conditions.push(['m.agent_id = ?', filter.agentId])
  if (filter.parentMandateId !== undefined) {
    conditions.push(['m.parent_id = ?', filter.parentMandateId])
  }
  if (filter.agentIds !== null) conditions.push(['m.agent_id = any(?::uuid[])', filter.agentIds])
  if (filter.draftOf !== undefined) filters.push(['m.draft_of = ?', filter.draftOf])
  if (filter.status !== undefined) filters.push(statusCondition(filter.status, now))
  if (filter.q !== undefined) filters.push([NAMED_LIKE, filter.q, organizationId, filter.q])
  return pageOf<ShownMandate>(db, page, {
    columns: SHOWN_COLUMNS,
    from: 'mandates m',
    joined: [VERSION_OF, organizationId],
    conditions,
    filters,
    id: 'm.id',
    rank,
  })
}

const VERSION_OF = `join mandate_versions v
  on v.organization_id = ? and v.mandate_id = m.id and v.version = m.version`
const NAMED_LIKE = `(strpos(lower(v.name), lower(?)) > 0 or exists (
  select 1 from agents a where a.organization_id = ? and a.id = m.agent_id
    and strpos(lower(a.name), lower(?)) > 0))`

/** The unexpired active mandate of each agent that has one. */
export function listActiveMandates(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[],
  now: Instant,
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `select ${COLUMNS} from ${FROM}
           where m.organization_id = $1 and m.agent_id = any($2::uuid[]) and m.status = 'active'
             and (m.valid_until is null or m.valid_until > $3)`,
    values: [organizationId, agentIds, toIso(now)],
  })
}

/** An active mandate past its end reads as expired; no job has to change it first. */
function statusCondition(status: MandateStatus, now: Instant): Condition {
  switch (status) {
    case 'draft':
    case 'revoked':
      return ['m.status = ?', status]
    case 'active':
      return [`m.status = 'active' and (m.valid_until is null or m.valid_until > ?)`, toIso(now)]
    case 'expired':
      return [`(m.status = 'expired' or m.status = 'active' and m.valid_until <= ?)`, toIso(now)]
  }
}

/**
 * Active mandates, only with the rules that bound a sum: lists of vendors can be long. `agentIds` are
 * those of a bound key; null means all.
 */
export function listExposedMandates(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[] | null,
  limit: number,
): Promise<ExposedMandate[]> {
  return db.query<ExposedMandate>({
    name: 'list-exposed-mandates',
    text: `
      select m.id, m.agent_id as "agentId", m.parent_id as "parentMandateId", m.status, v.currency,
             v.timezone, m.valid_from as "validFrom", m.valid_until as "validUntil",
             v.budget_period as "budgetPeriod", m.budget_total as "budgetTotal",
             m.budget_spent as "budgetSpent", m.budget_held as "budgetHeld",
             m.spent_period_start as "spentPeriodStart",
             coalesce((select jsonb_agg(rule - 'expr') from jsonb_array_elements(v.rules) as rule
                       where rule->>'type' = any($3::text[])), '[]'::jsonb) as rules
      from mandates m join mandate_versions v
        on v.organization_id = $1 and v.mandate_id = m.id and v.version = m.version
      where m.organization_id = $1 and m.status = 'active'
        and ($2::uuid[] is null or m.agent_id = any($2::uuid[]))
      order by m.id limit $4`,
    values: [
      organizationId,
      agentIds === null ? null : plainArray(agentIds),
      plainArray(BOUNDING_TYPES),
      limit,
    ],
  })
}

import type { Agent, AgentStatus } from '../core/agent.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable, Tx } from './engine/database.ts'
import { type Use, useColumns } from './last-use.ts'
import { type Condition, type Page, type PageRequest, pageOf } from './page.ts'

const COLUMNS = `
  id, name, description, status, external_id as "externalId", tags, metadata,
  created_at as "createdAt", updated_at as "updatedAt", updated_by as "updatedBy",
  last_seen_at as "lastSeenAt"`

export async function insertAgent(
  db: Queryable,
  organizationId: string,
  agent: Agent,
): Promise<void> {
  await db.query({
    text: `
      insert into agents (organization_id, id, name, description, status, external_id, tags,
                          metadata, created_at, updated_at, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
    values: [
      organizationId,
      agent.id,
      agent.name,
      agent.description,
      agent.status,
      agent.externalId,
      agent.tags,
      JSON.stringify(agent.metadata),
      toIso(agent.createdAt),
      agent.updatedBy,
    ],
  })
}

export async function findAgent(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Agent | undefined> {
  const [agent] = await db.query<Agent>({
    text: `select ${COLUMNS} from agents
           where organization_id = $1 and id = $2 and deleted_at is null`,
    values: [organizationId, id],
  })
  return agent
}

/** Locks the agent, so that writes about it cannot race with its deletion. */
export async function lockAgent(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Agent | undefined> {
  const [agent] = await tx.query<Agent>({
    text: `select ${COLUMNS} from agents
           where organization_id = $1 and id = $2 and deleted_at is null for update`,
    values: [organizationId, id],
  })
  return agent
}

/** Returns those of the ids that are agents of the organization. */
export async function findAgentIds(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({
    text: `select id from agents
           where organization_id = $1 and id = any($2::uuid[]) and deleted_at is null`,
    values: [organizationId, ids],
  })
  return new Set(rows.map((row) => row.id))
}

export interface AgentFilter {
  readonly status: AgentStatus | undefined
  readonly externalId: string | undefined
  /** Agents with one of these tags. */
  readonly tags: readonly string[] | undefined
  /** A part of the name or of the external id. */
  readonly q: string | undefined
  /** The agents that a bound key may see; null means all. */
  readonly agentIds: readonly string[] | null
}

/** `rank` orders the agents; without it, the newest come first. */
export function listAgents(
  db: Queryable,
  organizationId: string,
  filter: AgentFilter,
  page: PageRequest,
  rank?: Condition,
): Promise<Page<Agent>> {
  const conditions: Condition[] = [['organization_id = ?', organizationId], ['deleted_at is null']]
  const filters: Condition[] = []
  if (filter.externalId !== undefined) conditions.push(['external_id = ?', filter.externalId])
  if (filter.agentIds !== null) conditions.push(['id = any(?::uuid[])', filter.agentIds])
  if (filter.status !== undefined) filters.push(['status = ?', filter.status])
  if (filter.tags !== undefined) filters.push(['tags && ?::text[]', filter.tags])
  if (filter.q !== undefined) {
    const has = 'strpos(lower(name), lower(?)) > 0 or strpos(lower(external_id), lower(?)) > 0'
    filters.push([`(${has})`, filter.q, filter.q])
  }
  return pageOf<Agent>(db, page, { columns: COLUMNS, from: 'agents', conditions, filters, rank })
}

export async function countAgents(db: Queryable, organizationId: string): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    text: 'select count(*) as count from agents where organization_id = $1 and deleted_at is null',
    values: [organizationId],
  })
  return Number(row?.count ?? 0n)
}

export async function updateAgent(tx: Tx, organizationId: string, agent: Agent): Promise<void> {
  await tx.query({
    text: `
      update agents
      set name = $3, description = $4, status = $5, external_id = $6, tags = $7, metadata = $8,
          updated_at = $9, updated_by = $10
      where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      agent.id,
      agent.name,
      agent.description,
      agent.status,
      agent.externalId,
      agent.tags,
      JSON.stringify(agent.metadata),
      toIso(agent.updatedAt),
      agent.updatedBy,
    ],
  })
}

export async function markAgentDeleted(
  tx: Tx,
  organizationId: string,
  id: string,
  now: Instant,
): Promise<void> {
  await tx.query({
    text: 'update agents set deleted_at = $3 where organization_id = $1 and id = $2',
    values: [organizationId, id, toIso(now)],
  })
}

export async function recordAgentsSeen(
  db: Queryable,
  organizationId: string,
  uses: readonly Use[],
): Promise<void> {
  await db.query({
    name: 'record-agents-seen',
    text: `
      update agents a set last_seen_at = u.at
      from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) as u (id, at, before)
      where a.organization_id = $1 and a.id = u.id
        and (a.last_seen_at is null or a.last_seen_at <= u.before)
        and a.id = any(array(
          select id from agents where organization_id = $1 and id = any($2::uuid[])
          order by id for no key update))`,
    values: [organizationId, ...useColumns(uses)],
  })
}

import type { Mandate, MandateStatus } from '../core/mandates/mandate.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { MANDATE_COLUMNS, MANDATE_FROM } from './mandates.ts'
import { type Condition, type Page, type PageRequest, pageOf } from './page.ts'

export interface MandateFilter {
  readonly agentId: string | undefined
  readonly status: MandateStatus | undefined
  readonly parentMandateId: string | undefined
  readonly archived: boolean
  /** The agents that a bound key may see; null means all. */
  readonly agentIds: readonly string[] | null
}

export function listMandates(
  db: Queryable,
  organizationId: string,
  filter: MandateFilter,
  now: Instant,
  page: PageRequest,
): Promise<Page<Mandate>> {
  const conditions: Condition[] = [
    ['m.organization_id = ?', organizationId],
    [`m.archived_at is ${filter.archived ? 'not ' : ''}null`],
  ]
  if (filter.agentId !== undefined) conditions.push(['m.agent_id = ?', filter.agentId])
  if (filter.parentMandateId !== undefined) {
    conditions.push(['m.parent_id = ?', filter.parentMandateId])
  }
  if (filter.agentIds !== null) conditions.push(['m.agent_id = any(?::uuid[])', filter.agentIds])
  if (filter.status !== undefined) conditions.push(statusCondition(filter.status, now))
  return pageOf<Mandate>(db, page, {
    columns: MANDATE_COLUMNS,
    from: MANDATE_FROM,
    conditions,
    id: 'm.id',
  })
}

/** The unexpired active mandate of each agent that has one. */
export function listActiveMandates(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[],
  now: Instant,
): Promise<Mandate[]> {
  return db.query<Mandate>({
    text: `select ${MANDATE_COLUMNS} from ${MANDATE_FROM}
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

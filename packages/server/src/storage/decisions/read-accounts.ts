import type { AgentStatus } from '../../core/agent.ts'
import type { EventKind } from '../../core/events/event.ts'
import type { Micros } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/** One row per existing agent, or one row without an agent if none of them exists. */
export interface SpenderRow {
  /**
   * The database's clock: with several processes, one clock decides about windows and periods (ADR
   * 21).
   */
  readonly now: Instant
  readonly frozen: boolean
  readonly plan: Plan
  /** Whether the organization has a webhook endpoint. */
  readonly hasWebhook: boolean
  /** The event kinds that its endpoints receive; null means the kinds of the specification. */
  readonly eventKinds: readonly EventKind[] | null
  readonly agentId: string | null
  readonly status: AgentStatus
  readonly isDeleted: boolean
  readonly tags: readonly string[]
}

/**
 * Call this after locking the mandates, so that it sees a pause or freeze that came first. Each
 * agent is looked up by its key: with a list of ids the planner reads all agents of a small
 * organization and compares each with the list. The ids must be unique.
 */
export function readSpenders(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
): Promise<SpenderRow[]> {
  const [first] = agentIds
  if (first !== undefined && agentIds.length === 1) return readSpender(tx, organizationId, first)
  return tx.query<SpenderRow>({
    name: 'read-spenders',
    text: `
      select ${SPENDER_COLUMNS}
      from organizations o
      left join (
        unnest($2::uuid[]) as asked (id)
        cross join lateral (
          select id, status, deleted_at, tags from agents
          where organization_id = $1 and id = asked.id limit 1) as a
      ) on true
      where o.id = $1`,
    values: [organizationId, plainArray(agentIds)],
  })
}

const SPENDER_COLUMNS = `
  clock_timestamp() as now, o.frozen, o.plan, (o.webhook_url is not null or o.webhook_kinds is not null) as "hasWebhook",
  coalesce(o.webhook_kinds, o.webhook_events) as "eventKinds", a.id as "agentId", a.status,
  a.deleted_at is not null as "isDeleted", a.tags`

function readSpender(tx: Tx, organizationId: string, agentId: string): Promise<SpenderRow[]> {
  return tx.query<SpenderRow>({
    name: 'read-spender',
    text: `
      select ${SPENDER_COLUMNS}
      from organizations o left join agents a on a.organization_id = $1 and a.id = $2
      where o.id = $1`,
    values: [organizationId, agentId],
  })
}

export interface CounterRow {
  readonly key: string
  /** The time of expiry, then the start, count and amount of each bucket in turn. */
  readonly buckets: readonly bigint[]
}

export function readCounters(
  tx: Tx,
  organizationId: string,
  keys: readonly string[],
): Promise<CounterRow[]> {
  return tx.query<CounterRow>({
    name: 'read-counters',
    text: `select key, buckets from limit_counters
           where organization_id = $1 and key = any(${texts('$2')})`,
    values: [organizationId, textArray(keys)],
  })
}

export interface VendorHistoryRow {
  readonly agentId: string
  /** `UNKNOWN_VENDORS` if the agent's vendor history is still being loaded. */
  readonly vendor: string
  readonly firstAt: Instant
  readonly lastAmount: Micros | null
  readonly approvedAmount: Micros | null
  readonly notedAt: Instant | null
}

/**
 * Takes the place of a vendor's name, and no vendor has it. Its row marks that the agent's vendor
 * history is still being loaded, since the instant in `firstAt`.
 */
export const UNKNOWN_VENDORS = '*'

/**
 * The vendor history of each agent at each vendor (the two lists are pairs), and the marks. While
 * an agent has a mark, its rows from before the mark are left out: they may be out of date.
 */
export async function readVendorHistories(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
  vendors: readonly string[],
): Promise<VendorHistoryRow[]> {
  const agents = [...new Set(agentIds)]
  const rows = await tx.query<VendorHistoryRow>({
    name: 'read-vendor-histories',
    text: `
      select v.agent_id as "agentId", v.vendor, v.first_at as "firstAt",
             v.last_amount as "lastAmount", v.approved_amount as "approvedAmount",
             v.noted_at as "notedAt"
      from unnest($2::uuid[], ${texts('$3')}) as pair (agent_id, vendor)
      join agent_vendors v on v.organization_id = $1 and v.agent_id = pair.agent_id
        and v.vendor = pair.vendor`,
    values: [
      organizationId,
      plainArray([...agentIds, ...agents]),
      textArray([...vendors, ...agents.map(() => UNKNOWN_VENDORS)]),
    ],
  })
  const marks = rows.filter(({ vendor }) => vendor === UNKNOWN_VENDORS)
  if (marks.length === 0) return rows
  const sinceOf = new Map(marks.map(({ agentId, firstAt }) => [agentId, firstAt]))
  return rows.filter((row) => {
    const since = sinceOf.get(row.agentId)
    return since === undefined || row.vendor === UNKNOWN_VENDORS || (row.notedAt ?? 0) >= since
  })
}

/**
 * Reads the month's evaluations and locks the row. Call it only if the plan has a limit: the count
 * then decides, and must not change meanwhile.
 */
export async function lockPlanUsage(
  tx: Tx,
  organizationId: string,
  month: string,
): Promise<number> {
  const [row] = await tx.query<{ evaluations: bigint }>({
    name: 'lock-plan-usage',
    text: `
      insert into plan_usage (organization_id, month, evaluations) values ($1, $2, 0)
      on conflict (organization_id, month) do update set evaluations = plan_usage.evaluations
      returning evaluations`,
    values: [organizationId, month],
  })
  return Number(row?.evaluations ?? 0n)
}

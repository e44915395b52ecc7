import { type DecisionFacts, withoutReceipt } from '../../core/audit/decision-leaf.ts'
import type { ChangeSource, EventSource, Source } from '../../core/audit/source.ts'
import { type ChangeRow, toActor } from '../changes.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { boundsOf } from '../id-bounds.ts'

/** A range of an organization's feed: the numbers after `after`, up to and including `to`. */
export interface FeedRange {
  readonly after: bigint
  readonly to: bigint
}

/**
 * The events and changes with these numbers, by number. Those that retention removed are missing.
 */
export async function findSources(
  db: Queryable,
  organizationId: string,
  numbers: readonly bigint[],
): Promise<Map<bigint, Source>> {
  if (numbers.length === 0) return new Map()
  const [events, changes] = await Promise.all([
    findEvents(db, organizationId, numbers),
    db.query<ChangeSourceRow>({
      name: 'find-change-sources',
      text: `select ${CHANGE_COLUMNS} from changes
             where organization_id = $1 and number = any($2::bigint[])`,
      values: [organizationId, plainArray(numbers)],
    }),
  ])
  const all = [...events, ...changes.map(toChange)]
  return new Map(all.map((source) => [source.number, source]))
}

type EventRow = Omit<EventSource, 'type'>

const EVENT_COLUMNS = `
  id, number, kind, occurred_at as at, salt, commitment, transaction_id as "transactionId",
  agent_id as "agentId", mandate_id as "mandateId", budget_total as "budgetTotal",
  budget_spent as "budgetSpent", outcome, state`

/** The events that have these numbers. */
export async function findEvents(
  db: Queryable,
  organizationId: string,
  numbers: readonly (bigint | number)[],
): Promise<EventSource[]> {
  if (numbers.length === 0) return []
  const rows = await db.query<EventRow>({
    name: 'find-event-sources',
    text: `select ${EVENT_COLUMNS} from webhook_events
           where organization_id = $1 and number = any($2::bigint[])`,
    values: [organizationId, plainArray(numbers)],
  })
  return rows.map(toEvent)
}

function toEvent(row: EventRow): EventSource {
  return { type: 'event', ...row }
}

type ChangeSourceRow = Omit<ChangeSource, 'type' | 'actor'> &
  Pick<ChangeRow, 'actorKind' | 'actorId' | 'actorName'>

const CHANGE_COLUMNS = `
  number, at, salt, commitment, actor_kind as "actorKind", actor_id as "actorId",
  actor_name as "actorName", operation, subject_id as "subjectId", before, after, state`

/** The changes in a range of the feed. */
export async function listChanges(
  db: Queryable,
  organizationId: string,
  { after, to }: FeedRange,
): Promise<ChangeSource[]> {
  const rows = await db.query<ChangeSourceRow>({
    name: 'list-change-sources',
    text: `select ${CHANGE_COLUMNS} from changes
           where organization_id = $1 and number > $2 and number <= $3`,
    values: [organizationId, after, to],
  })
  return rows.map(toChange)
}

function toChange({ actorKind, actorId, actorName, ...row }: ChangeSourceRow): ChangeSource {
  return { type: 'change', ...row, actor: toActor(actorKind, actorId, actorName) }
}

type StoredFacts = Omit<DecisionFacts, 'policyHash' | 'failed'> & { readonly id: string }

/**
 * The facts that the leaves of decisions commit to, by id, as far as retention has kept the
 * details.
 */
export async function findDecisionFacts(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, DecisionFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<StoredFacts>({
    name: 'find-decision-facts',
    text: `
      select id, agent_id as "agentId", mandate_id as "mandateId",
             mandate_version as "mandateVersion", path, decision, code,
             case when decision = 'rejected' then 'rejected'
                  when expires_at is not null then 'held' else 'settled' end as status,
             coalesce(decided_amount, amount) as amount, currency, vendor, category, reference,
             reason, metadata::text as metadata, details::text as details
      from transactions
      where organization_id = $1 and id = any($2::uuid[]) and id >= $3 and id <= $4
        and details is not null`,
    values: [organizationId, plainArray(ids), ...boundsOf(ids)],
  })
  return new Map(rows.map(({ id, ...stored }) => [id, toFacts(stored)]))
}

function toFacts(stored: Omit<StoredFacts, 'id'>): DecisionFacts {
  const { policyHash = null, failed = [] } = JSON.parse(stored.details)
  return { ...stored, policyHash, failed, details: withoutReceipt(stored.details) }
}

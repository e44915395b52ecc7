import type { Actor } from '../core/actor.ts'
import { changePayload } from '../core/audit/payloads.ts'
import { uuidOfSubject } from '../core/audit/subject-id.ts'
import { type Change, type NewChange, onlyDifferences } from '../core/change.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { makeCommitment, payloadText } from './audit/commit.ts'
import { newSalt } from './audit/new-salt.ts'
import { digestsOf, isStatedThing, ROWS, type StatedThing } from './audit/row-states.ts'
import type { Queryable, Statement, Tx } from './engine/database.ts'
import { newId } from './new-id.ts'
import { TAKE_NUMBERS } from './webhooks/events.ts'

/**
 * Stores who changed what, in the transaction of the change and as its last statement: the
 * statement takes a number of the organization's feed, and every decision waits for that lock.
 * Stores nothing if `before` and `after` do not differ.
 */
export function recordChange(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  change: NewChange,
): void {
  const differences = onlyDifferences(change)
  if (!differences) return
  tx.sendLast(storeChange(organizationId, actor, { ...change, ...differences }))
}

function storeChange(organizationId: string, actor: Actor, change: NewChange): Statement {
  const { operation, subjectId, at, before, after } = change
  const [subjectType = ''] = operation.split('.')
  const payload = changePayload({ actor, before, after })
  const values = [
    organizationId,
    toIso(at),
    1,
    newId(at),
    actor.kind,
    actor.id,
    actor.name,
    operation,
    subjectType,
    subjectId,
    before === null ? null : JSON.stringify(before),
    after === null ? null : JSON.stringify(after),
  ]
  const uuid = uuidOfSubject(subjectType, subjectId)
  if (!isStatedThing(subjectType) || subjectType === 'transaction' || uuid === undefined) {
    const { salt, commitment } = makeCommitment(payload)
    return { name: 'store-change', text: STORE_CHANGE, values: [...values, salt, commitment] }
  }
  return storeStatedChange(subjectType, [
    ...values,
    ...[newSalt(), payloadText(payload).slice(0, -1), uuid],
  ])
}

/**
 * Reads the row after everything else that the transaction writes. The row's state is the last
 * field of the payload, so the text of the other fields can be made before the row is read.
 */
function storeStatedChange(thing: StatedThing, values: readonly unknown[]): Statement {
  const row = ROWS[thing]('$15::uuid')
  return {
    name: `store-change-of-${thing}`,
    text: `
      with ${TAKE_NUMBERS}, left_as as (
        select ${digestsOf(row, `decode($13, 'hex')`)} as state
      )
      insert into changes (organization_id, number, id, at, actor_kind, actor_id, actor_name, operation,
                           subject_type, subject_id, before, after, salt, commitment, state)
      select $1, (select before from feed) + 1, $4::uuid, $2::timestamptz, $5, $6::uuid, $7, $8, $9, $10,
             $11::json, $12::json, decode($13, 'hex'),
             sha256(decode($13, 'hex')
               || convert_to($14::text || coalesce(',"state":' || l.state, '') || '}', 'UTF8')),
             l.state::json
      from left_as l`,
    values,
  }
}

const STORE_CHANGE = `
  with ${TAKE_NUMBERS}
  insert into changes (organization_id, number, id, at, actor_kind, actor_id, actor_name, operation,
                       subject_type, subject_id, before, after, salt, commitment)
  select $1, (select before from feed) + 1, $4::uuid, $2::timestamptz, $5, $6::uuid, $7, $8, $9, $10,
         $11::json, $12::json, decode($13, 'hex'), decode($14, 'hex')`

const COLUMNS = `
  id, number, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName",
  operation, subject_type as "subjectType", subject_id as "subjectId", before, after`

export interface ChangeRow extends Omit<Change, 'actor'> {
  readonly actorKind: Actor['kind']
  readonly actorId: string | null
  readonly actorName: string | null
}

/** The changes after a number, oldest first. */
export async function listChangesAfter(
  db: Queryable,
  organizationId: string,
  after: bigint,
  limit: number,
): Promise<Change[]> {
  const rows = await db.query<ChangeRow>({
    text: `select ${COLUMNS} from changes
           where organization_id = $1 and number > $2 order by number limit $3`,
    values: [organizationId, after, limit],
  })
  return rows.map(toChange)
}

/** The last changes, newest first. */
export async function listLatestChanges(
  db: Queryable,
  organizationId: string,
  limit: number,
): Promise<Change[]> {
  const rows = await db.query<ChangeRow>({
    text: `select ${COLUMNS} from changes
           where organization_id = $1 order by number desc limit $2`,
    values: [organizationId, limit],
  })
  return rows.map(toChange)
}

/** How far back a search for the records of one thing goes: records have no index by their subject. */
const SEARCHED_MAX = 500

/** The changes of one thing after an instant, oldest first, among the organization's latest. */
export async function listChangesOf(
  db: Queryable,
  organizationId: string,
  subjectId: string,
  after: Instant,
): Promise<Change[]> {
  const rows = await db.query<ChangeRow>({
    name: 'list-changes-of',
    text: `
      select ${COLUMNS} from (
        select * from changes where organization_id = $1
        order by number desc limit ${SEARCHED_MAX}) as latest
      where subject_id = $2 and at > $3 order by number`,
    values: [organizationId, subjectId, toIso(after)],
  })
  return rows.map(toChange)
}

function toChange({ actorKind, actorId, actorName, ...change }: ChangeRow): Change {
  return { ...change, actor: toActor(actorKind, actorId, actorName) }
}

export function toActor(kind: Actor['kind'], id: string | null, name: string | null): Actor {
  if (kind === 'cli' || kind === 'system') return { kind, id: null, name: null }
  if (id === null || name === null) throw new Error('A caller of the API has an id and a name.')
  return { kind, id, name }
}

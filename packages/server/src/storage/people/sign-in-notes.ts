import { ADDRESSES_MAX, type SignInNote } from '../../core/people/sign-in-note.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/** A note about sign-ins, and when it is written to the change records. */
export interface NewNote extends SignInNote {
  /** Notes with the same name are merged into one. */
  readonly name: string
  readonly dueAt: Instant
  readonly endsAt: Instant
}

/**
 * Adds notes that are to become change records. It takes no lock that a decision waits for. Rows
 * are sorted, so that two processes cannot deadlock.
 */
export function storeNotes(notes: readonly NewNote[]): Statement {
  const ordered = [...notes].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const plain = (pick: (note: NewNote) => string | number | null): string =>
    plainArray(ordered.map(pick))
  const free = (pick: (note: NewNote) => string | null): string => textArray(ordered.map(pick))
  return {
    name: 'store-sign-in-notes',
    text: STORE_NOTES,
    values: [
      plain((note) => note.organizationId),
      free((note) => note.name),
      plain((note) => note.what),
      plain((note) => note.memberId),
      free((note) => note.email),
      free((note) => note.memberName),
      plain((note) => note.number),
      free((note) => JSON.stringify(note.addresses)),
      plain((note) => toIso(note.firstAt)),
      plain((note) => toIso(note.lastAt)),
      plain((note) => note.scope),
      plain((note) => (note.lockedUntil === null ? null : toIso(note.lockedUntil))),
      plain((note) => toIso(note.dueAt)),
      plain((note) => toIso(note.endsAt)),
      plain((note) => note.method),
    ],
  }
}

function keyOf({ organizationId, name }: NewNote): string {
  return `${organizationId} ${name}`
}

const STORE_NOTES = `
  insert into sign_in_notes (organization_id, name, what, member_id, email, member_name, number, addresses,
                             first_at, last_at, scope, locked_until, due_at, ends_at, method)
  select n.organization_id, n.name, n.what, n.member_id, n.email, n.member_name, n.number,
         n.addresses::jsonb, n.first_at, n.last_at, n.scope, n.locked_until, n.due_at, n.ends_at,
         n.method
  from unnest($1::uuid[], ${texts('$2')}, $3::text[], $4::uuid[], ${texts('$5')}, ${texts('$6')}, $7::int[],
              ${texts('$8')}, $9::timestamptz[], $10::timestamptz[], $11::text[], $12::timestamptz[],
              $13::timestamptz[], $14::timestamptz[], $15::text[])
    as n (organization_id, name, what, member_id, email, member_name, number, addresses, first_at, last_at,
          scope, locked_until, due_at, ends_at, method)
  on conflict (organization_id, name) do update set
    number = sign_in_notes.number + excluded.number,
    last_at = greatest(sign_in_notes.last_at, excluded.last_at),
    addresses = case when jsonb_array_length(sign_in_notes.addresses) >= ${ADDRESSES_MAX}
                       or sign_in_notes.addresses @> excluded.addresses
                     then sign_in_notes.addresses
                     else sign_in_notes.addresses || excluded.addresses end`

/** Organizations with due notes; the one that has waited longest comes first. */
export async function listOrganizationsWithNotes(
  db: Queryable,
  now: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>({
    name: 'list-organizations-with-sign-in-notes',
    text: `
      select organization_id as "organizationId" from sign_in_notes where due_at <= $1
      group by organization_id order by min(due_at) limit $2`,
    values: [toIso(now), limit],
  })
  return rows.map(({ organizationId }) => organizationId)
}

/** A due note; `number` excludes the attempts that were already recorded. */
export interface DueNote extends SignInNote {
  readonly name: string
}

/** Locks due notes. Skips notes that a different process has locked. */
export function lockDueNotes(
  tx: Tx,
  organizationId: string,
  now: Instant,
  limit: number,
): Promise<DueNote[]> {
  return tx.query<DueNote>({
    name: 'lock-due-sign-in-notes',
    text: `
      select organization_id as "organizationId", name, what, member_id as "memberId", email,
             member_name as "memberName", number - told as number, addresses, first_at as "firstAt",
             last_at as "lastAt", scope, locked_until as "lockedUntil", method
      from sign_in_notes
      where organization_id = $1 and due_at <= $2
      order by due_at, name limit $3 for update skip locked`,
    values: [organizationId, toIso(now), limit],
  })
}

/**
 * Marks the notes as recorded. A note whose quarter of an hour is not over stays, because it may
 * grow; its new attempts are recorded at the end of that time.
 */
export function settleNotes(
  tx: Tx,
  organizationId: string,
  names: readonly string[],
  now: Instant,
): void {
  const values = [organizationId, names, toIso(now)]
  tx.send({
    name: 'remove-told-sign-in-notes',
    text: `
      delete from sign_in_notes
      where organization_id = $1 and name = any($2::text[]) and ends_at <= $3`,
    values,
  })
  tx.send({
    name: 'mark-told-sign-in-notes',
    text: `
      update sign_in_notes set told = number, due_at = ends_at
      where organization_id = $1 and name = any($2::text[]) and ends_at > $3`,
    values,
  })
}

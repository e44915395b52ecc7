import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'

/** The number of sign-in attempts for a subject since its window began. */
export interface Attempts {
  readonly subject: string
  readonly count: number
  readonly endsAt: Instant
}

/**
 * Counts an attempt against each subject, and returns the new counts. The count is committed before
 * a password is checked, so that parallel guesses, sent to any number of processes, are all
 * counted. `subjects` are sorted, so that two callers cannot deadlock.
 */
export function countAttempts(
  db: Queryable,
  subjects: readonly string[],
  now: Instant,
  endsAt: Instant,
): Promise<Attempts[]> {
  return db.query<Attempts>({
    text: `
      insert into sign_in_attempts (subject, count, ends_at)
      select subject, 1, $3 from unnest($1::text[]) as given (subject)
      on conflict (subject) do update set
        count = case when sign_in_attempts.ends_at <= $2 then 1 else sign_in_attempts.count + 1 end,
        ends_at = case when sign_in_attempts.ends_at <= $2 then excluded.ends_at
                       else sign_in_attempts.ends_at end
      returning subject, count, ends_at as "endsAt"`,
    values: [subjects, toIso(now), toIso(endsAt)],
  })
}

/** Resets the counts of an account after a successful sign-in. */
export async function forgetAttempts(db: Queryable, subjects: readonly string[]): Promise<void> {
  await db.query({
    text: 'delete from sign_in_attempts where subject = any($1::text[])',
    values: [subjects],
  })
}

/**
 * Resets the counts of an account for all client addresses: its subjects begin with the account's
 * name.
 */
export async function forgetAccount(db: Queryable, account: string): Promise<void> {
  await db.query({
    // A range of the primary key, because 30 days of rows are many. No text sorts after its end.
    text: `delete from sign_in_attempts
           where subject >= $1::text and subject < $1::text || chr(1114111)`,
    values: [account],
  })
}

/**
 * Removes a successful attempt from the count of the client's address. Rows are locked in one
 * order, so that two callers cannot deadlock.
 */
export async function takeBackAttempts(db: Queryable, subjects: readonly string[]): Promise<void> {
  await db.query({
    text: `
      with counted as (
        select subject from sign_in_attempts where subject = any($1::text[]) and count > 0
        order by subject for update
      )
      update sign_in_attempts set count = count - 1 where subject in (select subject from counted)`,
    values: [subjects],
  })
}

/** Removes counts whose window is over, a bounded number per call. */
export async function removeEndedAttempts(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from sign_in_attempts where subject in (
        select subject from sign_in_attempts where ends_at < $1 limit 1000)
        -- Checked again: a count that restarted while this statement waited for its row must stay.
        and ends_at < $1
      returning 1`,
    values: [toIso(now)],
  })
  return rows.length
}

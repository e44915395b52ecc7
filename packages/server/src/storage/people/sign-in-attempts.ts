import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'

/** How often sign-in was tried for a subject since its window began. */
export interface Attempts {
  readonly subject: string
  readonly count: number
  readonly endsAt: Instant
}

/**
 * Counts an attempt against each subject, and says how many that makes. It is committed before a
 * password is looked at, so that guesses that are sent at once, to any number of processes, are all
 * counted. `subjects` are in order, so that two callers do not wait for each other.
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

/** Begins anew for an account whose person has come in. */
export async function forgetAttempts(db: Queryable, subjects: readonly string[]): Promise<void> {
  await db.query({
    text: 'delete from sign_in_attempts where subject = any($1::text[])',
    values: [subjects],
  })
}

/** Begins anew for an account, wherever it was tried from: its subjects begin with its name. */
export async function forgetAccount(db: Queryable, account: string): Promise<void> {
  await db.query({
    // A range of the primary key, because the rows of 30 days are many. No text sorts behind its end.
    text: `delete from sign_in_attempts
           where subject >= $1::text and subject < $1::text || chr(1114111)`,
    values: [account],
  })
}

/**
 * An attempt that succeeded does not count against the address that it came from. Rows are locked in one
 * order, so that two callers do not wait for each other.
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

/** Removes counts whose window is over, a bounded number at once. */
export async function removeEndedAttempts(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from sign_in_attempts where subject in (
        select subject from sign_in_attempts where ends_at < $1 limit 1000)
        -- Said again: one that began anew while its row was waited for must stay.
        and ends_at < $1
      returning 1`,
    values: [toIso(now)],
  })
  return rows.length
}

import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/** Organizations with URLs that were stored before sealed copies existed. */
export async function listUrlSealings(
  db: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>({
    text: `select organization_id as "organizationId" from webhook_url_sealings
           where organization_id > $1 /*among organization_id*/ order by organization_id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ organizationId }) => organizationId)
}

/**
 * The last attempt whose URL is sealed; undefined if a different process is sealing, or all is
 * done.
 */
export async function lockUrlSealing(tx: Tx, organizationId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ afterId: string }>({
    text: `select after_id as "afterId" from webhook_url_sealings where organization_id = $1
           for update skip locked`,
    values: [organizationId],
  })
  return row?.afterId
}

export interface UnsealedAttempt {
  readonly id: string
  readonly url: string
}

export function listUnsealedAttempts(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<UnsealedAttempt[]> {
  return db.query<UnsealedAttempt>({
    text: `select id, url from webhook_attempts
           where organization_id = $1 and id > $2 and url_id is null
           order by id limit $3`,
    values: [organizationId, after, limit],
  })
}

export interface SealedAttempt {
  readonly id: string
  readonly receiver: string
  readonly urlId: string
}

/** Replaces the URLs of attempts by their receivers, and links the sealed copies. */
export function nameUrls(organizationId: string, attempts: readonly SealedAttempt[]): Statement {
  return {
    text: `
      update webhook_attempts a set url = s.receiver, url_id = s.url_id
      from unnest($2::uuid[], ${texts('$3')}, $4::uuid[]) as s (id, receiver, url_id)
      where a.organization_id = $1 and a.id = s.id and a.url_id is null`,
    values: [
      organizationId,
      plainArray(attempts.map(({ id }) => id)),
      textArray(attempts.map(({ receiver }) => receiver)),
      plainArray(attempts.map(({ urlId }) => urlId)),
    ],
  }
}

export function noteUrlsSealed(organizationId: string, afterId: string): Statement {
  return {
    text: 'update webhook_url_sealings set after_id = $2 where organization_id = $1',
    values: [organizationId, afterId],
  }
}

export function endUrlSealing(organizationId: string): Statement {
  return {
    text: 'delete from webhook_url_sealings where organization_id = $1',
    values: [organizationId],
  }
}

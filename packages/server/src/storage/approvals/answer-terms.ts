import type { AnswerTerms } from '../../core/approvals/four-eyes.ts'
import { toUuid } from '../../core/id.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/**
 * If the caller holds the organization's lock, the terms stay true until the end of the
 * transaction.
 */
export async function readAnswerTerms(db: Queryable, organizationId: string): Promise<AnswerTerms> {
  const [terms] = await db.query<AnswerTerms>({
    text: `select require_four_eyes as "requiresFourEyes", approval_password_above as "passwordAbove",
                  currency
           from organizations where id = $1`,
    values: [organizationId],
  })
  if (!terms) throw new Error('An approval was decided in an organization that does not exist.')
  return terms
}

/**
 * The member behind each of these keys and members. A key stands for the member who created it,
 * directly or through other keys, revoked ones included. Ids that lead to no member are left out:
 * the operator created the key, or its creator was not stored. Keys are stored in one place, so the
 * query names them by the organization alone.
 */
export async function findPeopleBehind(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ keyId: string; createdBy: string | null }>({
    text: `
      with recursive makers as (
        select id as key_id, id, created_by from api_keys
        where organization_id = $1 and id = any($2::uuid[])
        union
        select m.key_id, k.id, k.created_by from makers m join api_keys k
          on k.organization_id = $1
            and k.id = case when m.created_by ~ '^[0-9a-f-]{36}$' then m.created_by::uuid end
      )
      select key_id as "keyId", created_by as "createdBy" from makers`,
    values: [organizationId, plainArray(ids)],
  })
  const keys = new Set(rows.map(({ keyId }) => keyId))
  const members = ids.filter((id) => !keys.has(id)).map((id) => [id, id] as const)
  const makers = rows.flatMap(({ keyId, createdBy }) => {
    const member = toUuid('mem', createdBy ?? '')
    return member === undefined ? [] : [[keyId, member] as const]
  })
  return new Map([...members, ...makers])
}

/** The addresses of members, removed ones included: a member who is invited again gets a new id. */
export async function findAddresses(
  db: Queryable,
  organizationId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; email: string }>({
    text: 'select id, email from members where organization_id = $1 and id = any($2::uuid[])',
    values: [organizationId, plainArray(memberIds)],
  })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

import type { Queryable, Statement } from '../engine/database.ts'
import { MARK_BYTES } from './sealed.ts'
import { WEBHOOK_SECRET_PURPOSE, webhookSecretPurpose } from './webhook-secret.ts'

/** A sealed value and its location. */
export interface SealedValue {
  /** The primary key of its row, without the organization. */
  readonly place: readonly string[]
  readonly purpose: string
  readonly sealed: Buffer
}

export interface SealedPage {
  /** The place of the last value of the previous page; empty at the beginning. */
  readonly after: readonly string[]
  /** Values that begin with this mark are skipped: they are already under the new key. */
  readonly mark: Buffer
  readonly limit: number
}

/**
 * One kind of sealed values. Every module that stores sealed values lists them here, so that a
 * rotation of the master key seals them again.
 */
export interface SealedValues {
  readonly what: string
  /**
   * True for values that belong to no organization. Both functions then get `INSTALLATION` as its
   * id.
   */
  readonly isOfInstallation?: true
  list(db: Queryable, organizationId: string, page: SealedPage): Promise<SealedValue[]>
  /** Changes nothing if the stored value has changed meanwhile. */
  replace(organizationId: string, value: SealedValue, sealed: Buffer): Statement
}

/** The secrets that sign webhooks. */
export function webhookSecrets(): SealedValues[] {
  const purpose = WEBHOOK_SECRET_PURPOSE
  return (['webhook_secret', 'webhook_previous_secret'] as const).map((column) => ({
    what: column,
    async list(db, organizationId, { after, mark }) {
      if (after.length > 0) return []
      const rows = await db.query<{ sealed: Buffer }>({
        text: `select ${column} as sealed from organizations
               where id = $1 and substring(${column} from 1 for ${MARK_BYTES}) <> $2`,
        values: [organizationId, mark],
      })
      return rows.map(({ sealed }) => ({ place: [organizationId], purpose, sealed }))
    },
    replace: (organizationId, value, sealed) => ({
      text: `update organizations set ${column} = $3 where id = $1 and ${column} = $2`,
      values: [organizationId, value.sealed, sealed],
    }),
  }))
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The secrets of endpoints other than the first one. */
export function endpointSecrets(): SealedValues[] {
  return (['secret', 'previous_secret'] as const).map((column) => ({
    what: `webhook_endpoints.${column}`,
    async list(db, organizationId, { after: [after = FIRST_ID], mark, limit }) {
      const rows = await db.query<{ id: string; sealed: Buffer }>({
        text: `select id, ${column} as sealed from webhook_endpoints
               where organization_id = $1 and id > $2
                 and substring(${column} from 1 for ${MARK_BYTES}) <> $3
               order by id limit $4`,
        values: [organizationId, after, mark, limit],
      })
      return rows.map(({ id, sealed }) => {
        return { place: [id], purpose: webhookSecretPurpose(organizationId, id), sealed }
      })
    },
    replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
      text: `update webhook_endpoints set ${column} = $4
             where organization_id = $1 and id = $2 and ${column} = $3`,
      values: [organizationId, id, before, sealed],
    }),
  }))
}

/** The purpose under which responses are sealed. */
export const ANSWER_PURPOSE = 'idempotency-answer'

/** The responses stored under Idempotency-Keys. */
export function storedAnswers(): SealedValues {
  const purpose = ANSWER_PURPOSE
  return {
    what: 'idempotency_keys.answer',
    async list(db, organizationId, { after: [space = FIRST_ID, key = ''], mark, limit }) {
      const rows = await db.query<{ space: string; key: string; sealed: Buffer }>({
        text: `
          select space, key, answer as sealed from idempotency_keys
          where organization_id = $1 and (space, key) > ($2::uuid, $3)
            and substring(answer from 1 for ${MARK_BYTES}) <> $4
          order by space, key limit $5`,
        values: [organizationId, space, key, mark, limit],
      })
      return rows.map((row) => ({ place: [row.space, row.key], purpose, sealed: row.sealed }))
    },
    replace: (organizationId, { place: [space, key], sealed: before }, sealed) => ({
      text: `update idempotency_keys set answer = $5
             where organization_id = $1 and space = $2 and key = $3 and answer = $4`,
      values: [organizationId, space, key, before, sealed],
    }),
  }
}

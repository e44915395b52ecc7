import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'

/** A sealed key that signs the audit logs of all organizations: its PKCS #8 form in Base64. */
export interface StoredLogKey {
  readonly secret: Buffer
  readonly createdAt: Instant
}

/** The keys are secrets of the installation, so a rotation of the master key seals them again. */
const NAME = 'audit-log-key:'

/** Returns the keys oldest first. */
export function listLogKeys(db: Queryable): Promise<StoredLogKey[]> {
  return db.query<StoredLogKey>({
    name: 'list-log-keys',
    text: `select secret, created_at as "createdAt" from installation_secrets
           where name like $1 || '%' order by created_at, name`,
    values: [NAME],
  })
}

/** Returns false if that place is taken: a different process has made a key meanwhile. */
export async function insertLogKey(
  db: Queryable,
  before: number,
  { secret, createdAt }: StoredLogKey,
): Promise<boolean> {
  const place = `${before + 1}`.padStart(4, '0')
  const rows = await db.query({
    text: `insert into installation_secrets (name, secret, created_at) values ($1, $2, $3)
           on conflict (name) do nothing returning 1`,
    values: [`${NAME}${place}`, secret, toIso(createdAt)],
  })
  return rows.length > 0
}

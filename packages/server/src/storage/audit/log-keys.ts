import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'

/** A key that signs the logs of all organizations, sealed. It is the pkcs8 form in Base64. */
export interface StoredLogKey {
  readonly secret: Buffer
  readonly createdAt: Instant
}

/** They are secrets of the installation, so a new master key reaches them. */
const NAME = 'audit-log-key:'

/** The oldest first. */
export function listLogKeys(db: Queryable): Promise<StoredLogKey[]> {
  return db.query<StoredLogKey>({
    name: 'list-log-keys',
    text: `select secret, created_at as "createdAt" from installation_secrets
           where name like $1 || '%' order by created_at, name`,
    values: [NAME],
  })
}

/** False if there are as many already: another process has made one meanwhile. */
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

import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { MARK_BYTES } from '../secrets/sealed.ts'
import type { SealedValues } from '../secrets/sealed-values.ts'

/** A stored signing key; the private part is sealed. */
export interface StoredSigningKey {
  readonly kid: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly privateJwk: Buffer
  readonly createdAt: Instant
  /** The key signs from this instant on. It is published earlier. */
  readonly signsFrom: Instant
  /** The key is published until this instant; null until a successor exists. */
  readonly retiresAt: Instant | null
}

/** The purposes under which private keys and secrets are sealed. */
export const SIGNING_KEY_PURPOSE = 'signing-key'
export const SECRET_PURPOSE = 'installation-secret'

/** The keys that are published at this instant, oldest first. */
export function listSigningKeys(db: Queryable, now: Instant): Promise<StoredSigningKey[]> {
  return db.query<StoredSigningKey>({
    text: `
      select kid, public_jwk as "publicJwk", private_jwk as "privateJwk",
             created_at as "createdAt", signs_from as "signsFrom", retires_at as "retiresAt"
      from signing_keys where retires_at is null or retires_at > $1 order by signs_from, kid`,
    values: [toIso(now)],
  })
}

export async function insertSigningKey(tx: Tx, key: StoredSigningKey): Promise<void> {
  await tx.query({
    text: `insert into signing_keys (kid, public_jwk, private_jwk, created_at, signs_from)
           values ($1, $2, $3, $4, $5)`,
    values: [
      key.kid,
      JSON.stringify(key.publicJwk),
      key.privateJwk,
      toIso(key.createdAt),
      toIso(key.signsFrom),
    ],
  })
}

/** Retires a key that has a successor. It stays published until `retiresAt`. */
export async function retireSigningKey(tx: Tx, kid: string, retiresAt: Instant): Promise<void> {
  await tx.query({
    text: 'update signing_keys set retires_at = $2 where kid = $1',
    values: [kid, toIso(retiresAt)],
  })
}

export async function findInstallationSecret(
  db: Queryable,
  name: string,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ secret: Buffer }>({
    text: 'select secret from installation_secrets where name = $1',
    values: [name],
  })
  return row?.secret
}

/**
 * Returns false if the secret exists already: the transaction that created it has committed by
 * then.
 */
export async function insertInstallationSecret(
  tx: Tx,
  { name, secret, createdAt }: { name: string; secret: Buffer; createdAt: Instant },
): Promise<boolean> {
  const rows = await tx.query({
    text: `insert into installation_secrets (name, secret, created_at) values ($1, $2, $3)
           on conflict (name) do nothing returning 1`,
    values: [name, secret, toIso(createdAt)],
  })
  return rows.length > 0
}

export async function lockInstallationSecret(tx: Tx, name: string): Promise<void> {
  await tx.query({
    text: 'select 1 from installation_secrets where name = $1 for update',
    values: [name],
  })
}

/**
 * The sealed values of these tables, retired keys included, so that a rotation of the master key
 * seals them again.
 */
export const INSTALLATION_VALUES: readonly SealedValues[] = [
  {
    what: 'signing_keys.private_jwk',
    isOfInstallation: true,
    async list(db, _, { after: [kid = ''], mark, limit }) {
      const rows = await db.query<{ kid: string; sealed: Buffer }>({
        text: `select kid, private_jwk as sealed from signing_keys
               where kid > $1 and substring(private_jwk from 1 for ${MARK_BYTES}) <> $2
               order by kid limit $3`,
        values: [kid, mark, limit],
      })
      return rows.map((row) => ({
        place: [row.kid],
        purpose: SIGNING_KEY_PURPOSE,
        sealed: row.sealed,
      }))
    },
    replace: (_, { place: [kid], sealed: before }, sealed) => ({
      text: 'update signing_keys set private_jwk = $3 where kid = $1 and private_jwk = $2',
      values: [kid, before, sealed],
    }),
  },
  {
    what: 'installation_secrets.secret',
    isOfInstallation: true,
    async list(db, _, { after: [name = ''], mark, limit }) {
      const rows = await db.query<{ name: string; sealed: Buffer }>({
        text: `select name, secret as sealed from installation_secrets
               where name > $1 and substring(secret from 1 for ${MARK_BYTES}) <> $2
               order by name limit $3`,
        values: [name, mark, limit],
      })
      return rows.map((row) => ({ place: [row.name], purpose: SECRET_PURPOSE, sealed: row.sealed }))
    },
    replace: (_, { place: [name], sealed: before }, sealed) => ({
      text: 'update installation_secrets set secret = $3 where name = $1 and secret = $2',
      values: [name, before, sealed],
    }),
  },
]

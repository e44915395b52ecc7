import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import type { Membership } from './sign-in-names.ts'

/** A key pair of a member. The authenticator keeps the private key. */
export interface Passkey {
  readonly id: string
  /** Names the key pair, in base64url. */
  readonly credentialId: string
  /** In the form of COSE. */
  readonly publicKey: Buffer
  readonly name: string
  readonly transports: readonly string[]
  readonly isSynced: boolean
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  /** The last number of the authenticator's own count; 0 if it does not count. */
  readonly signCount: bigint
}

const COLUMNS = `
  id, credential_id as "credentialId", public_key as "publicKey", name, transports,
  is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt",
  sign_count as "signCount"`

/** The member's passkeys, oldest first. They are few, so the list has no pages. */
export function listPasskeys(
  db: Queryable,
  { organizationId, memberId }: Membership,
): Promise<Passkey[]> {
  return db.query<Passkey>({
    text: `select ${COLUMNS} from passkeys
           where organization_id = $1 and member_id = $2 order by id`,
    values: [organizationId, memberId],
  })
}

/** An active member, and their passkey with this credential id if there is one. */
export interface KnownPasskey {
  readonly email: string
  readonly passkey: Passkey | undefined
}

export async function findPasskey(
  db: Queryable,
  { organizationId, memberId }: Membership,
  credentialId: string,
): Promise<KnownPasskey | undefined> {
  const [row] = await db.query<{ email: string } & (Passkey | { id: null })>({
    text: `
      select m.email, p.id, p.credential_id as "credentialId", p.public_key as "publicKey", p.name,
             p.transports, p.is_synced as "isSynced", p.created_at as "createdAt",
             p.last_used_at as "lastUsedAt", p.sign_count as "signCount"
      from members m
      left join passkeys p
        on p.organization_id = $1 and p.member_id = m.id and p.credential_id = $3
      where m.organization_id = $1 and m.id = $2 and m.status = 'active'`,
    values: [organizationId, memberId, credentialId],
  })
  if (!row) return undefined
  const { email, ...passkey } = row
  return { email, passkey: passkey.id === null ? undefined : passkey }
}

/** Returns false if the member already has a passkey with this credential id. */
export async function insertPasskey(
  tx: Tx,
  { organizationId, memberId }: Membership,
  passkey: Omit<Passkey, 'lastUsedAt'>,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into passkeys (organization_id, id, member_id, credential_id, public_key, name,
                            transports, is_synced, created_at, sign_count)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (organization_id, member_id, credential_id) do nothing
      returning 1`,
    values: [
      ...[organizationId, passkey.id, memberId, passkey.credentialId, passkey.publicKey],
      ...[passkey.name, passkey.transports, passkey.isSynced, toIso(passkey.createdAt)],
      passkey.signCount,
    ],
  })
  return rows.length > 0
}

/**
 * Stores that the passkey was used, if it still exists and no other use came meanwhile. Returns
 * false otherwise: a removed passkey must open no session, and of two uses with the same count one
 * is a copy.
 */
export async function notePasskeyUse(
  tx: Tx,
  { organizationId, memberId }: Membership,
  { id, signCount }: Pick<Passkey, 'id' | 'signCount'>,
  { newCount, now }: { readonly newCount: bigint; readonly now: Instant },
): Promise<boolean> {
  const rows = await tx.query({
    text: `update passkeys set sign_count = $5, last_used_at = $6
           where organization_id = $1 and member_id = $2 and id = $3 and sign_count = $4
           returning 1`,
    values: [organizationId, memberId, id, signCount, newCount, toIso(now)],
  })
  return rows.length > 0
}

/** Undefined if the member has no such passkey. */
export async function lockPasskey(
  tx: Tx,
  { organizationId, memberId }: Membership,
  id: string,
): Promise<Passkey | undefined> {
  const [passkey] = await tx.query<Passkey>({
    text: `select ${COLUMNS} from passkeys
           where organization_id = $1 and member_id = $2 and id = $3 for no key update`,
    values: [organizationId, memberId, id],
  })
  return passkey
}

/** The caller has locked the passkey. */
export function renamePasskey(tx: Tx, organizationId: string, id: string, name: string): void {
  tx.send({
    text: 'update passkeys set name = $3 where organization_id = $1 and id = $2',
    values: [organizationId, id, name],
  })
}

/** The caller has locked the passkey. */
export function removePasskey(tx: Tx, organizationId: string, id: string): void {
  tx.send({
    text: 'delete from passkeys where organization_id = $1 and id = $2',
    values: [organizationId, id],
  })
}

/** Removes the ways to sign in without the password: all passkeys and recovery codes. */
export function removePasskeysAndCodes(tx: Tx, { organizationId, memberId }: Membership): void {
  tx.send({
    text: 'delete from passkeys where organization_id = $1 and member_id = $2',
    values: [organizationId, memberId],
  })
  tx.send({
    text: 'delete from recovery_codes where organization_id = $1 and member_id = $2',
    values: [organizationId, memberId],
  })
}

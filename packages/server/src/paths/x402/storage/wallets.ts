import { toIso } from '../../../core/time/instant.ts'
import type { Queryable, Tx } from '../../../storage/engine/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../storage/page.ts'
import type { Wallet } from '../payment.ts'

const COLUMNS = `id, name, address, kind, signer_url as "signerUrl", created_at as "createdAt",
  created_by as "createdBy"`

/** Returns false if the organization already has a wallet with this address. */
export async function insertWallet(
  tx: Tx,
  organizationId: string,
  wallet: Wallet,
  sealedSecret: Buffer,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into wallets (organization_id, id, name, address, kind, sealed_secret, signer_url,
                           created_at, created_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (organization_id, address) do nothing
      returning 1`,
    values: [
      organizationId,
      wallet.id,
      wallet.name,
      wallet.address,
      wallet.kind,
      sealedSecret,
      wallet.signerUrl,
      toIso(wallet.createdAt),
      wallet.createdBy,
    ],
  })
  return rows.length > 0
}

export function listWallets(
  db: Queryable,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Wallet>> {
  const conditions = [['organization_id = ?', organizationId]] as const
  return pageOf<Wallet>(db, page, {
    columns: COLUMNS,
    from: 'wallets',
    conditions: [...conditions],
  })
}

/** Finds the wallet with this id, or without an id the first wallet of the organization. */
export async function findWallet(
  db: Queryable,
  organizationId: string,
  id: string | undefined,
): Promise<Wallet | undefined> {
  const [wallet] = await db.query<Wallet>({
    name: 'find-wallet',
    text: `select ${COLUMNS} from wallets
           where organization_id = $1 and ($2::uuid is null or id = $2) order by id limit 1`,
    values: [organizationId, id ?? null],
  })
  return wallet
}

export interface WalletWithSecret extends Wallet {
  readonly sealedSecret: Buffer
}

export async function findWalletWithSecret(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<WalletWithSecret | undefined> {
  const [wallet] = await db.query<WalletWithSecret>({
    name: 'find-wallet-with-secret',
    text: `select ${COLUMNS}, sealed_secret as "sealedSecret" from wallets
           where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return wallet
}

/** The address of a wallet, of any organization. */
export interface WalletAddress {
  readonly organizationId: string
  readonly id: string
  readonly address: string
}

/** The wallets of all organizations, newest first. */
export function listAddresses(db: Queryable, limit: number): Promise<WalletAddress[]> {
  return db.query<WalletAddress>({
    text: `select organization_id as "organizationId", id, address from wallets
           order by id desc limit $1`,
    values: [limit],
  })
}

import { keyOfAlias } from '../core/card-alias.ts'
import type { DirectoryEntry } from '../core/directory-entry.ts'
import { toIso } from '../core/time/instant.ts'
import type { Queryable, Tx } from './engine/database.ts'
import { type Condition, type Page, type PageRequest, pageOf } from './page.ts'

const COLUMNS = `
  id, host, name, category, x402_payees as payees, card_aliases as "cardAliases", acp,
  created_at as "createdAt", updated_at as "updatedAt", updated_by as "updatedBy"`

/**
 * Stores an entry without its ACP settings: those have a table of their own because they hold
 * secrets.
 */
export async function insertDirectoryEntry(
  tx: Tx,
  organizationId: string,
  vendor: DirectoryEntry,
): Promise<void> {
  await tx.query({
    text: `
      insert into vendors (organization_id, id, host, name, category, x402_payees, card_aliases,
                           created_at, updated_at, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    values: [
      organizationId,
      vendor.id,
      vendor.host,
      vendor.name,
      vendor.category,
      JSON.stringify(vendor.payees),
      JSON.stringify(vendor.cardAliases),
      toIso(vendor.createdAt),
      vendor.updatedBy,
    ],
  })
  await insertAliases(tx, organizationId, vendor)
}

export async function lockDirectoryEntry(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<DirectoryEntry | undefined> {
  const [vendor] = await tx.query<DirectoryEntry>({
    text: `select ${COLUMNS} from vendors where organization_id = $1 and id = $2 for update`,
    values: [organizationId, id],
  })
  return vendor
}

/** The caller holds the entry's lock. */
export async function updateDirectoryEntry(
  tx: Tx,
  organizationId: string,
  vendor: DirectoryEntry,
): Promise<void> {
  await tx.query({
    text: `update vendors
           set name = $3, category = $4, x402_payees = $5, card_aliases = $6, updated_at = $7,
               updated_by = $8
           where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      vendor.id,
      vendor.name,
      vendor.category,
      JSON.stringify(vendor.payees),
      JSON.stringify(vendor.cardAliases),
      toIso(vendor.updatedAt),
      vendor.updatedBy,
    ],
  })
}

/** Replaces the entry's aliases. The caller holds the entry's lock. */
export async function replaceAliases(
  tx: Tx,
  organizationId: string,
  vendor: Pick<DirectoryEntry, 'id' | 'cardAliases'>,
): Promise<void> {
  await tx.query({
    text: 'delete from vendor_card_aliases where organization_id = $1 and vendor_id = $2',
    values: [organizationId, vendor.id],
  })
  await insertAliases(tx, organizationId, vendor)
}

/**
 * Inserts aliases in the order of their keys, so that two entries with the same aliases cannot
 * deadlock.
 */
async function insertAliases(
  tx: Tx,
  organizationId: string,
  { id, cardAliases }: Pick<DirectoryEntry, 'id' | 'cardAliases'>,
): Promise<void> {
  const keys = cardAliases.map(keyOfAlias).filter((key) => key !== undefined)
  if (keys.length === 0) return
  await tx.query({
    text: `insert into vendor_card_aliases (organization_id, key, vendor_id)
           select $1, key, $3 from unnest($2::text[]) as asked (key)`,
    values: [organizationId, keys.toSorted(), id],
  })
}

export interface DirectoryFilter {
  readonly host: string | undefined
  readonly category: string | undefined
}

export function listDirectoryEntries(
  db: Queryable,
  organizationId: string,
  { host, category }: DirectoryFilter,
  page: PageRequest,
): Promise<Page<DirectoryEntry>> {
  const conditions: Condition[] = [['organization_id = ?', organizationId]]
  if (host !== undefined) conditions.push(['host = ?', host])
  const filters: Condition[] = category === undefined ? [] : [['category = ?', category]]
  return pageOf<DirectoryEntry>(db, page, {
    columns: COLUMNS,
    from: 'vendors',
    conditions,
    filters,
  })
}

/** The first hosts of the directory, in index order, so that the query reads no other rows. */
export async function listHosts(
  db: Queryable,
  organizationId: string,
  most: number,
): Promise<string[]> {
  const rows = await db.query<{ host: string }>({
    name: 'list-hosts',
    text: 'select host from vendors where organization_id = $1 order by host limit $2',
    values: [organizationId, most],
  })
  return rows.map(({ host }) => host)
}

export async function findDirectoryEntry(
  db: Queryable,
  organizationId: string,
  host: string,
): Promise<DirectoryEntry | undefined> {
  const [vendor] = await db.query<DirectoryEntry>({
    name: 'find-vendor-by-host',
    text: `select ${COLUMNS} from vendors where organization_id = $1 and host = $2`,
    values: [organizationId, host],
  })
  return vendor
}

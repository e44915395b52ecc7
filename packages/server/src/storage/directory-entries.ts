import type { DirectoryEntry } from '../core/directory-entry.ts'
import { toIso } from '../core/time/instant.ts'
import type { Queryable, Tx } from './engine/database.ts'
import { type Condition, type Page, type PageRequest, pageOf } from './page.ts'

const COLUMNS = `
  id, host, name, category, x402_payees as payees, created_at as "createdAt",
  updated_at as "updatedAt"`

export async function insertDirectoryEntry(
  tx: Tx,
  organizationId: string,
  vendor: DirectoryEntry,
): Promise<void> {
  await tx.query({
    text: `
      insert into vendors (organization_id, id, host, name, category, x402_payees, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    values: [
      organizationId,
      vendor.id,
      vendor.host,
      vendor.name,
      vendor.category,
      JSON.stringify(vendor.payees),
      toIso(vendor.createdAt),
    ],
  })
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
    text: `update vendors set name = $3, category = $4, x402_payees = $5, updated_at = $6
           where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      vendor.id,
      vendor.name,
      vendor.category,
      JSON.stringify(vendor.payees),
      toIso(vendor.updatedAt),
    ],
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
  if (category !== undefined) conditions.push(['category = ?', category])
  return pageOf<DirectoryEntry>(db, page, { columns: COLUMNS, from: 'vendors', conditions })
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

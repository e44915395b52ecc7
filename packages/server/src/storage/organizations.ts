import type { Organization } from '../core/organization.ts'
import type { Instant } from '../core/time.ts'
import { toIso } from '../core/time.ts'
import type { Queryable, Tx } from './database.ts'

const COLUMNS = `
  id, name, plan, timezone, currency, frozen, webhook_url as "webhookUrl",
  webhook_secret_hint as "webhookSecretHint",
  webhook_secret_rotated_at as "webhookSecretRotatedAt", created_at as "createdAt"`

export interface NewOrganization
  extends Pick<Organization, 'id' | 'name' | 'plan' | 'timezone' | 'currency' | 'createdAt'> {
  readonly webhookSecret: Buffer
  readonly webhookSecretHint: string
}

export async function insertOrganization(
  db: Queryable,
  organization: NewOrganization,
): Promise<void> {
  await db.query({
    text: `
      insert into organizations (id, name, plan, timezone, currency, webhook_secret,
                                 webhook_secret_hint, webhook_secret_rotated_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`,
    values: [
      organization.id,
      organization.name,
      organization.plan,
      organization.timezone,
      organization.currency,
      organization.webhookSecret,
      organization.webhookSecretHint,
      toIso(organization.createdAt),
    ],
  })
}

export async function getOrganization(db: Queryable, id: string): Promise<Organization> {
  const [organization] = await db.query<Organization>({
    text: `select ${COLUMNS} from organizations where id = $1`,
    values: [id],
  })
  if (!organization) throw new Error('An API key belongs to an organization that does not exist.')
  return organization
}

/** Also the lock under which counts per organization (agents of a plan) are exact. */
export async function lockOrganization(tx: Tx, id: string): Promise<Organization> {
  await tx.query({
    text: 'select 1 from organizations where id = $1 for no key update',
    values: [id],
  })
  return getOrganization(tx, id)
}

export type OrganizationChange = Partial<
  Pick<Organization, 'name' | 'timezone' | 'currency' | 'frozen' | 'webhookUrl'>
>

export async function updateOrganization(
  tx: Tx,
  id: string,
  change: OrganizationChange,
  now: Instant,
): Promise<Organization> {
  const next = { ...(await lockOrganization(tx, id)), ...change }
  await tx.query({
    text: `update organizations
           set name = $2, timezone = $3, currency = $4, frozen = $5, webhook_url = $6, updated_at = $7
           where id = $1`,
    values: [id, next.name, next.timezone, next.currency, next.frozen, next.webhookUrl, toIso(now)],
  })
  return next
}

export async function countOrganizations(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    text: 'select count(*) as count from organizations',
  })
  return Number(row?.count ?? 0n)
}

/** Held while the first organization is made, so that processes that start at once make one. */
export async function lockInstallation(tx: Tx): Promise<void> {
  await tx.query({ text: 'select 1 from installation for update' })
}

import type { Organization } from '../core/organization.ts'
import type { Plan } from '../core/plan.ts'
import { FIRST_RETENTION, type Retention } from '../core/retention.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { insertFirstBook } from './analytics/books.ts'
import type { Queryable, Statement, Tx } from './engine/database.ts'
import { noteStop } from './stops.ts'
import { insertFeed } from './webhooks/events.ts'

const COLUMNS = `
  id, name, plan, timezone, currency, frozen, frozen_at as "frozenAt", frozen_by as "frozenBy",
  frozen_reason as "frozenReason", webhook_url as "webhookUrl",
  webhook_events as "webhookEvents", webhook_kinds as "webhookKinds",
  x402_fetch as "callsSellers", require_four_eyes as "requiresFourEyes",
  approval_password_above as "passwordAbove",
  webhook_secret_hint as "webhookSecretHint",
  webhook_secret_rotated_at as "webhookSecretRotatedAt",
  webhook_previous_secret_until as "webhookPreviousSecretUntil",
  json_build_object('detailsDays', details_kept_days, 'eventsDays', events_kept_days) as retention,
  created_at as "createdAt", updated_at as "updatedAt", updated_by as "updatedBy"`

export interface NewOrganization
  extends Pick<
    Organization,
    'id' | 'name' | 'plan' | 'timezone' | 'currency' | 'createdAt' | 'updatedBy'
  > {
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
                                 webhook_secret_hint, webhook_secret_rotated_at, created_at, updated_at,
                                 details_kept_days, events_kept_days, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8, $9, $10, $11)`,
    values: [
      organization.id,
      organization.name,
      organization.plan,
      organization.timezone,
      organization.currency,
      organization.webhookSecret,
      organization.webhookSecretHint,
      toIso(organization.createdAt),
      FIRST_RETENTION.detailsDays,
      FIRST_RETENTION.eventsDays,
      organization.updatedBy,
    ],
  })
  await insertFeed(db, organization.id)
  await insertFirstBook(db, organization.id, organization.timezone, organization.createdAt)
}

export async function getOrganization(db: Queryable, id: string): Promise<Organization> {
  const [organization] = await db.query<Organization>({
    text: `select ${COLUMNS} from organizations where id = $1`,
    values: [id],
  })
  if (!organization) throw new Error('An API key belongs to an organization that does not exist.')
  return organization
}

/**
 * The fields of an organization that every request may need, read together with its key or session.
 */
export type RequestTerms = Pick<Organization, 'plan' | 'timezone'>

/** Runs on every lookup of a key. */
export async function findRequestTerms(
  db: Queryable,
  id: string,
): Promise<RequestTerms | undefined> {
  const [terms] = await db.query<RequestTerms>({
    name: 'find-request-terms',
    text: 'select plan, timezone from organizations where id = $1',
    values: [id],
    isUnshared: true,
  })
  return terms
}

/** Lists organizations, oldest first. Only operator commands use this: it scans all tenants. */
export function listOrganizations(
  db: Queryable,
  most: number,
): Promise<Pick<Organization, 'id' | 'name' | 'plan' | 'createdAt'>[]> {
  return db.query({
    text: `select id, name, plan, created_at as "createdAt" from organizations
           order by created_at, id limit $1`,
    values: [most],
  })
}

/** The organization of an installation that has exactly one; otherwise undefined. */
export async function findOnlyOrganization(
  db: Queryable,
): Promise<Pick<Organization, 'id' | 'name'> | undefined> {
  const [only, another] = await db.query<Pick<Organization, 'id' | 'name'>>({
    text: 'select id, name from organizations limit 2',
  })
  return another === undefined ? only : undefined
}

/**
 * This lock also makes counts per organization exact, such as the number of agents that a plan
 * allows.
 */
export async function lockOrganization(tx: Tx, id: string): Promise<Organization> {
  const locked = tx.query({
    text: 'select 1 from organizations where id = $1 for no key update',
    values: [id],
  })
  const [, organization] = await Promise.all([locked, getOrganization(tx, id)])
  return organization
}

export type OrganizationChange = Partial<
  Pick<
    Organization,
    | ('name' | 'timezone' | 'currency' | 'webhookUrl' | 'webhookEvents' | 'webhookKinds')
    | ('frozen' | 'frozenReason')
    | ('callsSellers' | 'requiresFourEyes' | 'passwordAbove')
  >
> & { readonly retention?: Partial<Retention> }

/** The caller has locked the organization, and read it as `before`. */
export async function updateOrganization(
  tx: Tx,
  before: Organization,
  change: OrganizationChange,
  now: Instant,
  updatedBy: string,
): Promise<Organization> {
  const { id } = before
  const retention = { ...before.retention, ...change.retention }
  const freeze = freezeAfter(before, change, now, updatedBy)
  const after = { ...before, ...change, ...freeze, retention, updatedAt: now, updatedBy }
  await tx.query({
    text: `update organizations
           set name = $2, timezone = $3, currency = $4, frozen = $5, webhook_url = $6, x402_fetch = $7,
               updated_at = $8, details_kept_days = $9, events_kept_days = $10,
               webhook_events = $11, updated_by = $12, require_four_eyes = $13,
               approval_password_above = $14, frozen_at = $15, frozen_by = $16,
               frozen_reason = $17, webhook_kinds = $18
           where id = $1`,
    values: [
      id,
      after.name,
      after.timezone,
      after.currency,
      after.frozen,
      after.webhookUrl,
      after.callsSellers,
      toIso(now),
      after.retention.detailsDays,
      after.retention.eventsDays,
      after.webhookEvents,
      updatedBy,
      after.requiresFourEyes,
      after.passwordAbove,
      after.frozenAt === null ? null : toIso(after.frozenAt),
      after.frozenBy,
      after.frozenReason,
      after.webhookKinds,
    ],
  })
  if (after.frozen && !before.frozen) noteStop(tx, id)
  return after
}

type Freeze = Pick<Organization, 'frozenAt' | 'frozenBy' | 'frozenReason'>

/** Freezing again keeps the time and the author, and can add a reason. */
function freezeAfter(
  before: Organization,
  { frozen = before.frozen, frozenReason }: OrganizationChange,
  now: Instant,
  by: string,
): Freeze {
  if (!frozen) return { frozenAt: null, frozenBy: null, frozenReason: null }
  if (!before.frozen) return { frozenAt: now, frozenBy: by, frozenReason: frozenReason ?? null }
  const { frozenAt, frozenBy } = before
  return { frozenAt, frozenBy, frozenReason: frozenReason ?? before.frozenReason }
}

/**
 * The caller has locked the organization. Gateways see the new plan within a second, because they
 * read it together with the keys.
 */
export async function setPlan(
  tx: Tx,
  id: string,
  plan: Plan,
  now: Instant,
  updatedBy: string,
): Promise<void> {
  await tx.query({
    text: 'update organizations set plan = $2, updated_at = $3, updated_by = $4 where id = $1',
    values: [id, plan, toIso(now), updatedBy],
  })
}

export interface NewWebhookSecret {
  readonly sealed: Buffer
  readonly hint: string
  /** The previous secret also signs until this instant; null if it stops at once. */
  readonly previousUntil: Instant | null
}

/** The caller has locked the organization. */
export function replaceWebhookSecret(
  id: string,
  { sealed, hint, previousUntil }: NewWebhookSecret,
  now: Instant,
  updatedBy: string,
): Statement {
  return {
    text: `
      update organizations
      set webhook_previous_secret = case when $4::timestamptz is null then null else webhook_secret end,
          webhook_previous_secret_until = $4, webhook_secret = $2, webhook_secret_hint = $3,
          webhook_secret_rotated_at = $5, updated_at = $5, updated_by = $6
      where id = $1`,
    values: [
      id,
      sealed,
      hint,
      previousUntil === null ? null : toIso(previousUntil),
      toIso(now),
      updatedBy,
    ],
  }
}

/** Notes a change that is stored elsewhere. The caller has locked the organization. */
export function noteUpdate(id: string, now: Instant, updatedBy: string): Statement {
  return {
    text: 'update organizations set updated_at = $2, updated_by = $3 where id = $1',
    values: [id, toIso(now), updatedBy],
  }
}

export async function countOrganizations(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    text: 'select count(*) as count from organizations',
  })
  return Number(row?.count ?? 0n)
}

/**
 * Locked while the first organization is created, so that processes that start at the same time
 * create only one.
 */
export async function lockInstallation(tx: Tx): Promise<void> {
  await tx.query({ text: 'select 1 from installation for update' })
}

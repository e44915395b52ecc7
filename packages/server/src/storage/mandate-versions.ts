import { createHash } from 'node:crypto'
import { type Author, actorText } from '../core/actor.ts'
import type { Mandate, MandateTerms, VersionTerms } from '../core/mandates/mandate.ts'
import type { Rule } from '../core/rules/rule-set.ts'
import type { Origins } from '../core/rules/verdict.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable, Tx } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'
import { COUNTED_MAX } from './page.ts'

export interface MandateVersion extends VersionTerms {
  readonly version: number
  readonly changedAt: Instant
  /** The author in the form of `actorText`; null if it was not stored. */
  readonly changedBy: string | null
}

/** Stores the mandate's terms under its version number. A draft overwrites its only version. */
export async function storeVersion(
  tx: Tx,
  organizationId: string,
  mandate: Mandate,
  changedBy: Author,
): Promise<void> {
  await tx.query({
    text: `
      insert into mandate_versions (organization_id, mandate_id, version, name, currency, timezone,
                                    valid_from, valid_until, budget_period, budget_total, rules,
                                    changed_at, changed_by, policy_hash, origins,
                                    disclose_limits, changed_by_member, warning_percents)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
      on conflict (organization_id, mandate_id, version) do update
      set name = excluded.name, currency = excluded.currency, timezone = excluded.timezone,
          valid_from = excluded.valid_from, valid_until = excluded.valid_until,
          budget_period = excluded.budget_period, budget_total = excluded.budget_total,
          rules = excluded.rules, changed_at = excluded.changed_at, changed_by = excluded.changed_by,
          policy_hash = excluded.policy_hash, origins = excluded.origins,
          disclose_limits = excluded.disclose_limits,
          changed_by_member = excluded.changed_by_member,
          warning_percents = excluded.warning_percents`,
    values: [
      organizationId,
      mandate.id,
      mandate.version,
      mandate.name,
      mandate.currency,
      mandate.timezone,
      toTimestamp(mandate.validFrom),
      toTimestamp(mandate.validUntil),
      mandate.budgetPeriod,
      mandate.budgetTotal,
      JSON.stringify(mandate.rules),
      toIso(mandate.updatedAt),
      changedBy.kind === 'key' ? changedBy.id : null,
      policyHashOf(mandate),
      mandate.origins === null ? null : JSON.stringify(mandate.origins),
      mandate.discloseLimits,
      changedBy.kind === 'member' ? changedBy.id : null,
      plainArray(mandate.warningPercents),
    ],
  })
}

const VERSION_COLUMNS = `
  version, name, currency, timezone, valid_from as "validFrom", valid_until as "validUntil",
  budget_period as "budgetPeriod", budget_total as "budgetTotal", rules,
  warning_percents as "warningPercents", disclose_limits as "discloseLimits", changed_at as "changedAt", changed_by as key,
  changed_by_member as member`

interface VersionRow extends Omit<MandateVersion, 'changedBy'> {
  readonly key: string | null
  readonly member: string | null
}

/**
 * One page of versions, newest first, plus the version before its last one if it exists: the API
 * compares the last version of the page with it.
 */
export async function listVersions(
  db: Queryable,
  organizationId: string,
  mandateId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MandateVersion[]> {
  const rows = await db.query<VersionRow>({
    text: `
      select ${VERSION_COLUMNS}
      from mandate_versions where organization_id = $1 and mandate_id = $2
      order by version desc limit $3 offset $4`,
    values: [organizationId, mandateId, limit + 1, offset],
  })
  return rows.map(toVersion)
}

/** Returns undefined if the mandate has no such version. */
export async function findVersion(
  db: Queryable,
  organizationId: string,
  mandateId: string,
  version: number,
): Promise<MandateVersion | undefined> {
  const [row] = await db.query<VersionRow>({
    text: `select ${VERSION_COLUMNS} from mandate_versions
           where organization_id = $1 and mandate_id = $2 and version = $3`,
    values: [organizationId, mandateId, version],
  })
  return row && toVersion(row)
}

function toVersion({ key, member, ...version }: VersionRow): MandateVersion {
  return { ...version, changedBy: toChangedBy(key, member) }
}

function toChangedBy(key: string | null, member: string | null): string | null {
  if (key !== null) return actorText({ kind: 'key', id: key })
  return member === null ? null : actorText({ kind: 'member', id: member })
}

export async function countVersions(
  db: Queryable,
  organizationId: string,
  mandateId: string,
): Promise<number> {
  const [row] = await db.query<{ total: bigint }>({
    text: `
      select count(*) as total from (
        select 1 from mandate_versions where organization_id = $1 and mandate_id = $2
        limit ${COUNTED_MAX}) as counted`,
    values: [organizationId, mandateId],
  })
  return Number(row?.total ?? 0n)
}

export function toTimestamp(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant)
}

interface PolicyRow extends MandateTerms {
  readonly mandateId: string
  readonly version: number
  readonly policyHash: string
  readonly origins: Origins | null
}

/** Returns undefined if the mandate has no such version. */
export async function findVersionRules(
  db: Queryable,
  organizationId: string,
  mandateId: string,
  version: number,
): Promise<readonly Rule[] | undefined> {
  const [row] = await db.query<{ rules: readonly Rule[] }>({
    text: `select rules from mandate_versions
           where organization_id = $1 and mandate_id = $2 and version = $3`,
    values: [organizationId, mandateId, version],
  })
  return row?.rules
}

/** The terms that decisions are judged by, for the requested versions. */
export function readPolicyTerms(
  tx: Tx,
  organizationId: string,
  wanted: readonly { readonly id: string; readonly version: number }[],
): Promise<PolicyRow[]> {
  return tx.query({
    name: 'read-policy-terms',
    text: `
      select mandate_id as "mandateId", version, policy_hash as "policyHash", name, currency,
             timezone, valid_from as "validFrom", valid_until as "validUntil",
             budget_period as "budgetPeriod", budget_total as "budgetTotal",
             warning_percents as "warningPercents", rules, origins
      from unnest($2::uuid[], $3::integer[]) as wanted (id, version)
      join mandate_versions v using (version)
      where v.organization_id = $1 and v.mandate_id = wanted.id`,
    values: [organizationId, wanted.map(({ id }) => id), wanted.map(({ version }) => version)],
  })
}

/**
 * Identifies a policy in decisions, receipts and logs. Lists are hashed in their order, because
 * rules are judged in that order. Fields that affect no decision are left out of the hash.
 */
function policyHashOf(mandate: Mandate): string {
  const { name, currency, timezone, validFrom, validUntil, budgetPeriod, rules } = mandate
  const policy = [name, currency, timezone, validFrom, validUntil, budgetPeriod, rules]
  const text = JSON.stringify([...policy, String(mandate.budgetTotal)])
  return createHash('sha256').update(text).digest('hex')
}

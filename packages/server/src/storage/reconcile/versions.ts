import { TERMS } from '../audit/row-states.ts'
import type { Queryable } from '../engine/database.ts'

/** A version of a mandate, with its terms in the form that a leaf commits to. */
export interface VersionText {
  readonly version: number
  readonly terms: string
  /**
   * The same with the levels of warnings: a gateway that does not know the column commits to it as a
   * part of the terms.
   */
  readonly termsWithLevels: string
  /** Whether the version is newer than the mandate's current one. */
  readonly isBeyond: boolean
}

/** The versions of a mandate after `after`, in their order. */
export function listVersionTexts(
  db: Queryable,
  organizationId: string,
  mandateId: string,
  after: number,
  limit: number,
): Promise<VersionText[]> {
  return db.query<VersionText>({
    text: `select v.version, (${TERMS})::text as terms,
                  (to_jsonb(v) - 'organization_id')::text as "termsWithLevels",
                  v.version > m.version as "isBeyond"
           from mandate_versions v
           join mandates m on m.organization_id = $1 and m.id = v.mandate_id
           where v.organization_id = $1 and v.mandate_id = $2 and v.version > $3
           order by v.version limit $4`,
    values: [organizationId, mandateId, after, limit],
  })
}

/**
 * The digests of a mandate's version and terms after a change; null if an older gateway made the
 * change.
 */
export interface TermState {
  readonly index: bigint
  /** Whether the change created the mandate. */
  readonly isFirst: boolean
  readonly salt: Buffer | null
  readonly version: string | null
  readonly terms: string | null
}

/** The changes of a mandate after a leaf, in their order. */
export function listTermStates(
  db: Queryable,
  organizationId: string,
  subject: string,
  after: bigint,
  limit: number,
): Promise<TermState[]> {
  return db.query<TermState>({
    text: `
      select l.index, l.kind = 'change.mandate.created' as "isFirst", c.salt,
             c.state ->> 'version' as version, c.state ->> 'terms' as terms
      from audit_leaves l join changes c on c.organization_id = $1 and c.number = l.number
      where l.organization_id = $1 and l.subject = $2 and l.index > $3
      order by l.index limit $4`,
    values: [organizationId, subject, after, limit],
  })
}

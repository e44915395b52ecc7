import type { Database, Queryable } from '../engine/database.ts'
import { repeatedTransaction } from '../engine/repeated-transaction.ts'
import { INSTALLATION, type MarkingSealer } from './sealed.ts'
import type { SealedValue, SealedValues } from './sealed-values.ts'

interface ResealParts {
  readonly db: Database
  /** Seals under the new key, and opens values of the previous one. */
  readonly sealer: MarkingSealer
  readonly kinds: readonly SealedValues[]
}

export interface Resealed {
  count: number
  /** Values that none of the keys opens. They stay as they are. */
  unreadable: number
}

const ORGANIZATIONS_PER_PAGE = 100
/** The rows of a batch are locked while they are written. */
const VALUES_PER_BATCH = 100

/**
 * Seals every value again that is not under the sealer's own key. It can be stopped and rerun at
 * any time, and gateways can keep running: each value is replaced only if it is still the one that
 * was read. It stores no progress, because a value shows which key sealed it.
 */
export async function resealAll(parts: ResealParts): Promise<Resealed> {
  const total: Resealed = { count: 0, unreadable: 0 }
  const ofInstallation = parts.kinds.filter(({ isOfInstallation }) => isOfInstallation)
  for (const kind of ofInstallation) await resealKind(parts, INSTALLATION, kind, total)
  const ofOrganizations = parts.kinds.filter((kind) => !ofInstallation.includes(kind))
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await listOrganizationIds(parts.db, after, ORGANIZATIONS_PER_PAGE)
    for (const organizationId of page) {
      for (const kind of ofOrganizations) await resealKind(parts, organizationId, kind, total)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < ORGANIZATIONS_PER_PAGE) return total
    after = last
  }
}

async function resealKind(
  { db, sealer }: ResealParts,
  organizationId: string,
  kind: SealedValues,
  total: Resealed,
): Promise<void> {
  let after: readonly string[] = []
  for (;;) {
    const page = { after, mark: sealer.mark, limit: VALUES_PER_BATCH }
    const values = await kind.list(db, organizationId, page)
    const last = values.at(-1)
    if (last === undefined) return
    const statements = values.flatMap((value) => {
      const sealed = reseal(sealer, organizationId, value)
      return sealed ? [kind.replace(organizationId, value, sealed)] : []
    })
    if (statements.length > 0) {
      await repeatedTransaction(db, organizationId, async (tx) => {
        for (const statement of statements) tx.send(statement)
      })
    }
    total.count += statements.length
    total.unreadable += values.length - statements.length
    after = last.place
  }
}

function reseal(
  sealer: MarkingSealer,
  organizationId: string,
  { purpose, sealed }: SealedValue,
): Buffer | undefined {
  try {
    return sealer.seal(organizationId, purpose, sealer.open(organizationId, purpose, sealed))
  } catch {
    // The value is under a third key, or damaged. With that key it can still be opened.
    return undefined
  }
}

/** The ids after this one, in their order. */
export async function listOrganizationIds(
  db: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    text: 'select id from organizations where id > $1 order by id limit $2',
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

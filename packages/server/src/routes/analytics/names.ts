import { toUuid } from '../../core/id.ts'
import type { Principal } from '../../core/principal.ts'
import type { Queryable } from '../../storage/engine/database.ts'
import { type NameOf, readNames } from '../../storage/names.ts'
import type { AnalyticsRowShape, UnnamedRow } from './shape.ts'

/** Puts names beside the ids of the groups, with one statement for all rows. */
export async function nameRows(
  db: Queryable,
  organizationId: string,
  { agentIds }: Pick<Principal, 'agentIds'>,
  rows: readonly UnnamedRow[],
): Promise<AnalyticsRowShape[]> {
  const idsOf = (kind: 'agent' | 'mandate' | 'vendor'): string[] => [
    ...new Set(rows.flatMap(({ group }) => group?.[kind] ?? [])),
  ]
  const nameOf = await readNames(db, organizationId, {
    agents: idsOf('agent'),
    mandates: idsOf('mandate').map(uuidOf),
    // The directory is the organization's business.
    vendors: agentIds === null ? idsOf('vendor') : [],
  })
  return rows.map((row) => ({ ...row, names: namesOf(row, nameOf) }))
}

function namesOf({ group }: UnnamedRow, nameOf: NameOf): AnalyticsRowShape['names'] {
  if (group === null) return null
  const { agent, mandate, vendor } = group
  return {
    ...(agent !== undefined && { agent: agent && nameOf('agent', agent) }),
    ...(mandate !== undefined && { mandate: mandate && nameOf('mandate', uuidOf(mandate)) }),
    ...(vendor !== undefined && { vendor: vendor && nameOf('vendor', vendor) }),
  }
}

function uuidOf(mandateId: string): string {
  return toUuid('mnd', mandateId) ?? ''
}

import type { Queryable } from './engine/database.ts'

/** The ids whose names are wanted, in the form in which records store them. */
export interface NamedIds {
  readonly agents: readonly string[]
  readonly mandates: readonly string[]
  /** Hosts, in the form of the vendor directory. */
  readonly vendors: readonly string[]
}

export type NamedKind = 'agent' | 'mandate' | 'vendor'

/** Returns the current or last name; null if there is none. */
export type NameOf = (kind: NamedKind, id: string) => string | null

/**
 * Rows of agents and mandates outlive their deletion or archiving, so records can still name them.
 */
export async function readNames(
  db: Queryable,
  organizationId: string,
  { agents, mandates, vendors }: NamedIds,
): Promise<NameOf> {
  if (agents.length + mandates.length + vendors.length === 0) return () => null
  const rows = await db.query<{ kind: NamedKind; id: string; name: string | null }>({
    name: 'read-names',
    text: `
      select 'agent' as kind, id::text as id, name from agents
      where organization_id = $1 and id = any($2::uuid[])
      union all
      select 'mandate', m.id::text, v.name from mandates m
      join mandate_versions v
        on v.organization_id = m.organization_id and v.mandate_id = m.id and v.version = m.version
      where m.organization_id = $1 and m.id = any($3::uuid[])
      union all
      select 'vendor', host, name from vendors
      where organization_id = $1 and host = any($4::text[])`,
    values: [organizationId, agents, mandates, vendors],
  })
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  return (kind, id) => names.get(`${kind} ${id}`) ?? null
}

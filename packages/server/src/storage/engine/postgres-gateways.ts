import type { Queryable } from './queryable.ts'

/*
 * Each connection of a gateway names the number of migrations that its program knows, such as
 * purser/63 (docs/upgrade.md). So a newer program can see that older gateways are live. Connections of
 * programs from before this had the name purser.
 */

/** Names longer than this are cut: PostgreSQL cuts the whole at 63 bytes. */
const OWN_NAME_MAX = 40

/** The name of a connection, and the URL with it: a name in the URL would replace ours. */
export function nameConnections(
  url: string,
  migrations: number,
): { readonly url: string; readonly name: string } {
  const mark = `purser/${migrations}`
  const named = url.replace(
    /([?&]application_name=)([^&#]*)/,
    (_all, begin: string, name: string) => `${begin}${name.slice(0, OWN_NAME_MAX)}%20${mark}`,
  )
  return { url: named, name: mark }
}

/**
 * Counts the connections of gateways and commands to this database whose program does not know
 * this migration.
 */
export async function countOlderConnections(tx: Queryable, migration: number): Promise<number> {
  const names = await listOtherConnections(tx)
  const known = names.map((name) => Number(/\d+$/.exec(name)?.[0] ?? 0))
  return known.filter((number) => number < migration).length
}

/** The names of the connections of gateways and commands to this database, without this one. */
export async function listOtherConnections(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ name: string }>({
    text: `select application_name as name from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()
             and application_name ~ '(^| )purser(/[0-9]+)?$'`,
  })
  return rows.map(({ name }) => name)
}

import { invalidFields } from '../../base/errors.ts'
import { nearestName } from '../../core/nearest-name.ts'
import type { Principal } from '../../core/principal.ts'
import { findDirectoryEntry, listHosts } from '../../storage/directory-entries.ts'
import type { Queryable } from '../../storage/engine/database.ts'

/**
 * The number of hosts of the directory, in order of their names, that a mistyped word is compared
 * with.
 */
const HOSTS_MAX = 1_000

/**
 * Refuses a vendor of one word, such as `openai`, unless the directory has it: rules and limits
 * would treat it as a different vendor than `api.openai.com`. Callers check only single words
 * (`isOneLabel`), so no other vendor costs a lookup.
 */
export async function requireWholeHost(
  db: Queryable,
  { organizationId, principal }: Asker,
  vendor: string,
): Promise<void> {
  if (await findDirectoryEntry(db, organizationId, vendor)) return
  const nearest = await hostFor(db, { organizationId, principal }, vendor)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  const message = `must be a whole host name such as api.example.com: ${vendor} has no dot, and the vendor directory does not have it${hint}`
  throw invalidFields([{ path: '/vendor', code: 'one_label', message }])
}

interface Asker {
  readonly organizationId: string
  readonly principal: Pick<Principal, 'agentIds'>
}

/** Suggests a host. A key bound to agents may not read the directory, so it gets none. */
async function hostFor(
  db: Queryable,
  { organizationId, principal }: Asker,
  vendor: string,
): Promise<string | undefined> {
  if (principal.agentIds !== null) return undefined
  return nearestHost(vendor, await listHosts(db, organizationId, HOSTS_MAX))
}

/**
 * Returns the host that a single word probably means: `api.openai.com` for `openai`, or for
 * `opnai`. Returns undefined if none is similar.
 */
function nearestHost(word: string, hosts: readonly string[]): string | undefined {
  const named = nearestName(word, hosts)
  if (named !== undefined) return named
  // A mistyped word is similar to one label, and not to the whole host.
  const hostOf = new Map(hosts.flatMap((host) => labelsOf(host).map((label) => [label, host])))
  const label = nearestName(word, [...hostOf.keys()])
  return label === undefined ? undefined : hostOf.get(label)
}

/** Returns the labels without the last one, which says nothing about the vendor. */
function labelsOf(host: string): string[] {
  return host.split('.').slice(0, -1)
}

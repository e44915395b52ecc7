import { invalidFields } from '../../base/errors.ts'
import { nearestName } from '../../core/nearest-name.ts'
import type { Principal } from '../../core/principal.ts'
import { findDirectoryEntry, listHosts } from '../../storage/directory-entries.ts'
import type { Queryable } from '../../storage/engine/database.ts'

/** A mistyped word is compared with so many hosts of the directory, the first by their names. */
const HOSTS_MAX = 1_000

/**
 * Refuses a vendor of one word, such as `openai`, unless the directory has it: rules and limits would
 * take it for another vendor than `api.openai.com`. Callers ask only about a word (`isOneLabel`), so no
 * other vendor costs a look-up.
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

/** A key bound to agents may not read the directory, so it gets no host out of it. */
async function hostFor(
  db: Queryable,
  { organizationId, principal }: Asker,
  vendor: string,
): Promise<string | undefined> {
  if (principal.agentIds !== null) return undefined
  return nearestHost(vendor, await listHosts(db, organizationId, HOSTS_MAX))
}

/**
 * The host that was probably meant by a single word: `api.openai.com` for `openai`, or for `opnai`.
 * Undefined where none is near.
 */
function nearestHost(word: string, hosts: readonly string[]): string | undefined {
  const named = nearestName(word, hosts)
  if (named !== undefined) return named
  // What is mistyped is near to one label, and far from the whole host.
  const hostOf = new Map(hosts.flatMap((host) => labelsOf(host).map((label) => [label, host])))
  const label = nearestName(word, [...hostOf.keys()])
  return label === undefined ? undefined : hostOf.get(label)
}

/** Without the last one, which says nothing about the vendor. */
function labelsOf(host: string): string[] {
  return host.split('.').slice(0, -1)
}

import { nearestHost } from '../../core/nearest-host.ts'
import { invalidFields } from '../../errors.ts'
import { listHostsNear } from '../../storage/directory-entries.ts'
import type { Queryable } from '../../storage/engine/database.ts'

/** A mistyped word is compared with so many hosts of the directory. */
const HOSTS_MAX = 500

/**
 * Refuses a vendor of one word, such as `openai`, unless the directory has it: rules and limits would
 * take it for another vendor than `api.openai.com`. Callers ask only about a word (`isOneLabel`), so no
 * other vendor costs a look-up.
 */
export async function requireWholeHost(
  db: Queryable,
  organizationId: string,
  vendor: string,
): Promise<void> {
  const hosts = await listHostsNear(db, organizationId, vendor, HOSTS_MAX)
  if (hosts[0] === vendor) return
  const nearest = nearestHost(vendor, hosts)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  const message = `must be a whole host name such as api.example.com: ${vendor} has no dot, and the vendor directory does not have it${hint}`
  throw invalidFields([{ path: '/vendor', code: 'one_label', message }])
}

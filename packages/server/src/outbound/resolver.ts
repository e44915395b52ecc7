import { Resolver } from 'node:dns/promises'

/**
 * Returns all IPv4 and IPv6 addresses of a name. Rejects if there are none, or if it is aborted.
 */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

const QUERY_TIMEOUT_MS = 1_500
const FRESH_MS = 2_000
const ENTRIES_MAX = 1_000

interface Entry {
  readonly addresses: readonly string[]
  readonly readAt: number
}

/**
 * Queries the machine's name servers. It avoids `dns.lookup`, because the system's resolver cannot
 * be cancelled and runs on four threads: four slow names would stall the whole process.
 *
 * It caches results for two seconds. Otherwise a thousand deliveries a second to one name would
 * make two thousand queries, more than some clouds' name servers allow one machine. Every call
 * judges the addresses, cached or not, so the cache weakens no check.
 */
export function createDnsResolve(servers?: readonly string[]): Resolve {
  const entries = new Map<string, Entry>()

  return async (hostname, signal) => {
    const entry = entries.get(hostname)
    if (entry && performance.now() - entry.readAt < FRESH_MS) return entry.addresses
    entries.delete(hostname)

    const addresses = await ask(hostname, signal, servers)
    if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '')
    entries.set(hostname, { addresses, readAt: performance.now() })
    return addresses
  }
}

/**
 * IPv4 comes first, because more machines reach it. One family may fail: many names have only one.
 */
async function ask(
  hostname: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<readonly string[]> {
  // Each query has its own resolver, because cancelling ends all queries of a resolver.
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 1 })
  if (servers) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [ipv4, ipv6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
    return [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

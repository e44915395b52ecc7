import { nearestName } from './nearest-name.ts'

/**
 * The host that was probably meant by a single word: `api.openai.com` for `openai`, or for `opnai`.
 * Undefined where none is near.
 */
export function nearestHost(word: string, hosts: readonly string[]): string | undefined {
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

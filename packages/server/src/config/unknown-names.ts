/** More than a few are a sign of something else, and would hide the rest of the log. */
const TOLD_MAX = 10
/** Beyond this, a name is not a mistyped one. */
const DISTANCE_MAX = 3

/** Read by the command and by the tests, and not by the gateway. */
const OF_OTHERS = /^PURSER_(URL|API_KEY|WEBHOOK_SECRET|TEST_\w+|REQUIRE_\w+)$/

/** What Kubernetes sets in every container beside a Service whose name begins with purser. */
const OF_KUBERNETES =
  /^PURSER_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/
const ADDRESS_OF_KUBERNETES = /^(tcp|udp|sctp):\/\//

/**
 * A sentence for each variable that looks like a setting and is none, with the nearest that is one.
 * It is no mistake: a newer or older version may know the name.
 */
export function warnOfUnknown(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): string[] {
  const isOurs = (name: string): boolean =>
    known.has(name) ||
    OF_OTHERS.test(name) ||
    OF_KUBERNETES.test(name) ||
    ADDRESS_OF_KUBERNETES.test(env[name] ?? '')
  return Object.keys(env)
    .filter((name) => name.startsWith('PURSER_') && !isOurs(name))
    .sort()
    .slice(0, TOLD_MAX)
    .map((name) => {
      const nearest = findNearest(name, known)
      const hint = nearest ? `Did you mean ${nearest}?` : 'The README lists the settings.'
      return `${name} is not a setting and does nothing. ${hint}`
    })
}

/** The sentence for a port that Kubernetes has overwritten. */
export function explainServiceLink(port: string): string | undefined {
  if (!ADDRESS_OF_KUBERNETES.test(port)) return undefined
  return 'PURSER_PORT is an address, which Kubernetes sets where there is a Service called purser. Set PURSER_PORT to a number in the container, set enableServiceLinks: false in the pod, or give the Service another name.'
}

function findNearest(name: string, known: ReadonlySet<string>): string | undefined {
  const candidates = [...known].map((one) => ({ one, distance: distanceOf(name, one) }))
  const nearest = candidates.sort((a, b) => a.distance - b.distance)[0]
  return nearest && nearest.distance <= DISTANCE_MAX ? nearest.one : undefined
}

/** How many letters have to be added, left out or changed. */
function distanceOf(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const row = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const changed = (above[column] ?? 0) + (letter === other ? 0 : 1)
      row.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1))
    }
    above = row
  }
  return above.at(-1) ?? 0
}

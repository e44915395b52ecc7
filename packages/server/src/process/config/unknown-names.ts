import { nearestName } from '../../core/nearest-name.ts'

/** More than a few point to a different problem, and would hide the rest of the log. */
const WARNINGS_MAX = 10

/** Variables that the CLI and the tests read, and not the gateway. */
const OF_OTHERS = /^PURSER_(BASE_URL|URL|API_KEY|WEBHOOK_SECRET|CARD_SECRET|TEST_\w+|REQUIRE_\w+)$/

/** Variables that Kubernetes sets in every container beside a Service named purser…. */
const OF_KUBERNETES =
  /^PURSER_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/
const ADDRESS_OF_KUBERNETES = /^(tcp|udp|sctp):\/\//

export interface UnknownSetting {
  readonly name: string
  /** A sentence for the operator. */
  readonly hint: string
}

/**
 * Returns each variable that looks like a setting but is not, with the nearest known name. This is
 * only a warning: a newer or older version may know the name.
 */
export function warnOfUnknown(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): UnknownSetting[] {
  const isOurs = (name: string): boolean =>
    known.has(name) ||
    OF_OTHERS.test(name) ||
    OF_KUBERNETES.test(name) ||
    ADDRESS_OF_KUBERNETES.test(env[name] ?? '')
  return Object.keys(env)
    .filter((name) => name.startsWith('PURSER_') && !isOurs(name))
    .sort()
    .slice(0, WARNINGS_MAX)
    .map((name) => {
      const nearest = findNearest(name, known)
      const hint = nearest ? `Did you mean ${nearest}?` : 'docs/settings.md lists the settings.'
      return { name, hint }
    })
}

/** Returns the message for a port that Kubernetes has overwritten. */
export function explainServiceLink(name: PortName, port: string): string | undefined {
  if (!ADDRESS_OF_KUBERNETES.test(port)) return undefined
  return `${name} is an address, which Kubernetes sets if there is a Service named ${SERVICES[name]}. Set ${name} to a number in the container, set enableServiceLinks: false in the pod, or give the Service another name.`
}

/** The settings that are ports, each with the Service for which Kubernetes sets the same name. */
const SERVICES = { PURSER_PORT: 'purser', PURSER_METRICS_PORT: 'purser-metrics' } as const
export type PortName = keyof typeof SERVICES

/** Compares names without their common prefix, which would make any two look alike. */
function findNearest(name: string, known: ReadonlySet<string>): string | undefined {
  const names = new Map([...known].map((one) => [withoutPrefix(one), one]))
  const nearest = nearestName(withoutPrefix(name), [...names.keys()])
  return nearest && names.get(nearest)
}

function withoutPrefix(name: string): string {
  return name.replace(/^PURSER_/, '')
}

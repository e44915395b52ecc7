import { isIP } from 'node:net'
import { parseUrl } from '../../base/parse-url.ts'
import { forbiddenIn } from '../../outbound/addresses.ts'
import type { ReadVariable } from '../../paths/path.ts'
import type { TraceSettings } from '../../tracing/open-tracing.ts'
import { SETTINGS } from './settings.ts'
import { explainServiceLink, type PortName } from './unknown-names.ts'
import { readSwitch } from './variables.ts'

interface Addresses {
  readonly host: string
  readonly port: number
  /** The public origin; undefined if it is not set. */
  readonly publicUrl: string | undefined
  /** Networks of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Addresses that webhooks and vendor calls may reach besides the public ones. */
  readonly outbound: {
    readonly allowLoopback: boolean
    readonly allowedNetworks: readonly string[]
  }
}

/** The address of the metrics; undefined if they are off. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** Reads where the gateway listens, and which addresses it may call. */
export function readAddresses(
  read: ReadVariable,
  isProduction: boolean,
  mistakes: string[],
): Addresses {
  return {
    host: read('PURSER_HOST') ?? SETTINGS.PURSER_HOST.default,
    port: readPort('PURSER_PORT', read('PURSER_PORT') ?? PORT, mistakes) ?? Number(PORT),
    publicUrl: readPublicUrl(read('PURSER_PUBLIC_URL'), isProduction, mistakes),
    trustedProxies: readNetworkList('PURSER_TRUSTED_PROXIES', read, mistakes),
    outbound: {
      allowLoopback: readLoopback(read, isProduction, mistakes),
      allowedNetworks: readNetworks(read, isProduction, mistakes),
    },
  }
}

export function readMetricsAddress(
  read: ReadVariable,
  mistakes: string[],
): MetricsAddress | undefined {
  const text = read('PURSER_METRICS_PORT')
  const host = read('PURSER_METRICS_HOST') ?? SETTINGS.PURSER_METRICS_HOST.default
  const port = text === undefined ? undefined : readPort('PURSER_METRICS_PORT', text, mistakes)
  return port === undefined ? undefined : { host, port }
}

const PORT = SETTINGS.PURSER_PORT.default

function readPort(name: PortName, text: string, mistakes: string[]): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  // Port 0 asks the system for a free port, which tests and supervisors use.
  if (port >= 0 && port <= 65_535) return port
  const explained = explainServiceLink(name, text)
  mistakes.push(explained ?? `${name} must be a port number from 0 to 65535.`)
  return undefined
}

/**
 * Others identify the gateway by this URL and compare it as text, so it has one spelling: an
 * origin.
 */
function readPublicUrl(
  text: string | undefined,
  isProduction: boolean,
  mistakes: string[],
): string | undefined {
  if (text === undefined) return undefined
  const url = /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) ? parseUrl(text) : undefined
  if (url && (url.protocol === 'https:' || !isProduction)) return url.origin
  const { example } = SETTINGS.PURSER_PUBLIC_URL
  mistakes.push(
    isProduction
      ? `PURSER_PUBLIC_URL must be an https address without a path, such as ${example}, when PURSER_ENV is production.`
      : `PURSER_PUBLIC_URL must be an address without a path, such as ${example}.`,
  )
  return undefined
}

/** Receivers on this machine are for testing. In production they would open a way into the network. */
function readLoopback(read: ReadVariable, isProduction: boolean, mistakes: string[]): boolean {
  const isAllowed = readSwitch('PURSER_ALLOW_LOOPBACK', read, mistakes)
  if (isAllowed && isProduction) {
    mistakes.push('PURSER_ALLOW_LOOPBACK cannot be true when PURSER_ENV is production.')
  }
  return isAllowed !== false && !isProduction
}

function readNetworkList(
  name: 'PURSER_TRUSTED_PROXIES' | 'PURSER_ALLOW_NETWORKS',
  read: ReadVariable,
  mistakes: string[],
): readonly string[] {
  const networks = (read(name) ?? '').split(/[\s,]+/).filter((network) => network !== '')
  const isNetwork = (network: string): boolean => {
    const [address = '', prefix = ''] = network.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
  }
  if (networks.every(isNetwork)) return networks
  mistakes.push(`${name} must be a list such as ${SETTINGS[name].example}.`)
  return []
}

function readNetworks(
  read: ReadVariable,
  isProduction: boolean,
  mistakes: string[],
): readonly string[] {
  const networks = readNetworkList('PURSER_ALLOW_NETWORKS', read, mistakes)
  for (const network of isProduction ? networks : []) {
    const forbidden = forbiddenIn(network)
    if (forbidden === undefined) continue
    mistakes.push(
      `PURSER_ALLOW_NETWORKS names ${network}, which contains ${forbidden}: this machine or the metadata service of a cloud. When PURSER_ENV is production, name only the networks of your receivers.`,
    )
  }
  return networks
}

/** Reads where traces are sent; undefined if they are off. */
export function readTracing(read: ReadVariable, mistakes: string[]): TraceSettings | undefined {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const tellsVendors = readSwitch('PURSER_TRACE_VENDORS', read, mistakes) === true
  const serviceName = read('OTEL_SERVICE_NAME') ?? SETTINGS.OTEL_SERVICE_NAME.default
  if (endpoint === undefined) return undefined
  const url = parseUrl(endpoint)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return { endpoint, serviceName, tellsVendors }
  }
  mistakes.push(
    `OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as ${SETTINGS.OTEL_EXPORTER_OTLP_ENDPOINT.example}.`,
  )
  return undefined
}

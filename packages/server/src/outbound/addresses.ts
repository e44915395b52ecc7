import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net'

export interface OutboundPolicy {
  /** 127.0.0.0/8 and ::1, and plain http to them; outside production only. */
  readonly allowLoopback: boolean
  /**
   * Networks in CIDR notation that may be called although they are private (self-hosted receivers);
   * plain http is allowed there too.
   */
  readonly allowedNetworks: readonly string[]
}

/** `permitted` means that the operator allowed the address; it may do more than a public one. */
export type Standing = 'public' | 'permitted' | 'blocked'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Networks that IANA lists as not globally reachable, or as having a special meaning. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * IPv6 is judged the other way round, because most of it is unassigned and some ranges wrap an IPv4
 * address: only the global unicast block is public, minus its special parts.
 */
const GLOBAL_IPV6 = '2000::/3'
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

/**
 * The addresses of cloud metadata services, which hand out credentials. Most are in 169.254.0.0/16;
 * the others have an address of their own.
 */
const METADATA = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
]

/** These stay blocked inside an allowed network: they hold metadata services, and no receivers. */
const NEVER = [
  ...METADATA,
  '0.0.0.0/8',
  '224.0.0.0/4',
  '255.255.255.255/32',
  'fe80::/10',
  'ff00::/8',
  '::/128',
]

/** The judge fails closed: it blocks a text that is not an address at all. */
export function createAddressJudge(policy: OutboundPolicy): (text: string) => Standing {
  const permitted = toNetworks([
    ...(policy.allowLoopback ? LOOPBACK : []),
    ...policy.allowedNetworks,
  ])
  const never = toNetworks(NEVER)
  const globalIpv6 = toNetworks([GLOBAL_IPV6])
  const special = toNetworks([...SPECIAL_IPV4, ...SPECIAL_IPV6])

  return (text) => {
    const address = toAddress(text)
    if (address === undefined) return 'blocked'
    if (isWithin(never, address)) return 'blocked'
    if (isWithin(permitted, address)) return 'permitted'
    if (isWithin(special, address)) return 'blocked'
    return isIPv4(address) || isWithin(globalIpv6, address) ? 'public' : 'blocked'
  }
}

/**
 * The loopback or metadata network that overlaps this one, which must not be opened in production;
 * undefined if there is none.
 */
export function forbiddenIn(network: string): string | undefined {
  return [...LOOPBACK, ...METADATA].find((other) => overlap(network, other))
}

/** If two CIDR networks overlap, one contains the other. */
function overlap(one: string, other: string): boolean {
  return holds(one, other) || holds(other, one)
}

function holds(outer: string, inner: string): boolean {
  const address = toAddress(inner.split('/', 1)[0] ?? '')
  return address !== undefined && isWithin(toNetworks([outer]), address)
}

/**
 * Returns the one spelling of an address that we judge and connect to. An IPv4 address written as
 * IPv6 (`::ffff:10.0.0.1`) becomes the IPv4 address that the connection would reach. An address
 * with a zone (`fe80::1%eth0`) belongs to one machine's own network, so it does not count as an
 * address.
 */
export function toAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? []
  return mapped ?? address
}

function toNetworks(texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [, network = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
    const family = isIP(network)
    if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) {
      throw new Error(`${JSON.stringify(text)} is not a network in CIDR notation.`)
    }
    networks.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  }
  return networks
}

function isWithin(networks: BlockList, address: string): boolean {
  return networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

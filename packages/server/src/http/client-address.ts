import { BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Where a request comes from. */
export type ClientAddress = (request: Pick<FastifyRequest, 'ip' | 'headers'>) => string

/** More proxies than a request passes. */
const HOPS_MAX = 20

/**
 * Behind proxies every request comes from the nearest one. What they say in `X-Forwarded-For` is believed
 * only of those that the operator has named: anybody else can write there what they like. So the address
 * is the first one, seen from us, that is none of them.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const proxies = new BlockList()
  for (const network of trustedProxies) {
    const [address = '', prefix] = network.split('/')
    proxies.addSubnet(address, Number(prefix), familyOf(address))
  }
  return ({ ip, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join()
    const hops = forwarded.split(',').slice(-HOPS_MAX).reverse()
    let nearest = ip
    for (const hop of hops.map((text) => text.trim())) {
      if (!proxies.check(nearest, familyOf(nearest)) || isIP(hop) === 0) break
      nearest = hop
    }
    return nearest
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

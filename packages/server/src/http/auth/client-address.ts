import { BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'

/** Returns the address that a request comes from. */
export type ClientAddress = (request: Pick<FastifyRequest, 'ip' | 'headers'>) => string

/** More proxies than any request passes. */
const HOPS_MAX = 20

/**
 * Behind proxies every request comes from the nearest one. `X-Forwarded-For` is trusted only from
 * proxies that the operator has named, because any other client can write anything there. So the
 * client's address is the nearest one that is not a trusted proxy.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isProxy = createIsProxy(trustedProxies)
  return ({ ip, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join()
    const hops = forwarded.split(',').slice(-HOPS_MAX).reverse()
    let nearest = ip
    for (const hop of hops.map((text) => text.trim())) {
      if (!isProxy(nearest) || isIP(hop) === 0) break
      nearest = hop
    }
    return nearest
  }
}

/**
 * Reports once a peer that sends `X-Forwarded-For` and is not trusted. Most often it is the
 * operator's own proxy, and all clients behind it share its address until the settings name it.
 */
export function tellUntrustedProxy(
  app: Pick<App, 'addHook'>,
  trustedProxies: readonly string[],
  tell: (peer: string) => void,
): void {
  const isProxy = createIsProxy(trustedProxies)
  let isTold = false
  app.addHook('onRequest', async ({ headers, ip }) => {
    if (isTold || headers['x-forwarded-for'] === undefined || isProxy(ip)) return
    isTold = true
    tell(ip)
  })
}

function createIsProxy(networks: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    proxies.addSubnet(address, Number(prefix), familyOf(address))
  }
  return (address) => proxies.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

import type { Resolve } from '../outbound/resolver.ts'

/** The hosts of the demo. Names that end in `.example` are reserved (RFC 2606). */
export const HOSTS = {
  shop: 'shop.paperwings.example',
  provider: 'pay.paperwings.example',
  hooks: 'hooks.lindqvist.example',
  weather: 'api.meteora.example',
} as const

const ON_LOOPBACK: ReadonlySet<string> = new Set(Object.values(HOSTS))

/** Finds the stand-ins on the loopback and no other host, so that no call leaves this machine. */
export const resolveStandIns: Resolve = async (hostname) => {
  if (ON_LOOPBACK.has(hostname) || hostname === 'localhost') return ['127.0.0.1']
  throw new Error(`The demo calls no host but its stand-ins, and ${hostname} is none of them.`)
}

/** The settings of the organization that name the port of the stand-ins. */
export function addressesAt(port: number) {
  return {
    rpc: `http://127.0.0.1:${port}/rpc`,
    shop: `http://${HOSTS.shop}:${port}/acp`,
    provider: `http://${HOSTS.provider}:${port}/provider`,
    hooks: `http://${HOSTS.hooks}:${port}/hooks`,
  }
}

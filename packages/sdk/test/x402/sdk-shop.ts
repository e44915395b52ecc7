import type { Mall } from '../../../server/test/support/x402/mall.ts'
import { Purser } from '../../src/index.ts'

/** Opens a shop in the mall whose agent pays through a client of the gateway at this address. */
export async function openSdkShop(
  mall: Mall,
  baseUrl: string,
  terms: Parameters<Mall['openShop']>[0] = {},
) {
  const shop = await mall.openShop(terms)
  const purser = new Purser({ apiKey: shop.acme.apiKey, baseUrl })
  return { ...shop, purser, data: `${shop.vendor.url}/data` }
}

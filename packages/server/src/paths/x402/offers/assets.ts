import { DEFAULT_ASSETS, EVM_NETWORK_CHAIN_ID_MAP } from '../x402-libraries.ts'

/** A token for payments, by our own list. A vendor's description of a token does not count. */
export interface Asset {
  /** The CAIP-2 id of the network, such as eip155:8453. */
  readonly network: string
  readonly chainId: number
  /** The address of the token's contract, in lower case. */
  readonly address: string
  readonly symbol: string
  readonly decimals: number
  /** One unit of each listed token is worth one unit of this currency. */
  readonly currency: string
  /** The EIP-712 domain under which its transfers are signed. */
  readonly domain: { readonly name: string; readonly version: string }
}

const CURRENCY = 'USD'

/**
 * Contains only tokens with EIP-3009 transfers: the payer needs no gas, and each authorization
 * works once.
 */
const ASSETS: readonly Asset[] = Object.entries(DEFAULT_ASSETS).flatMap(([network, assets]) =>
  assets
    .filter(({ assetTransferMethod = 'eip3009' }) => assetTransferMethod === 'eip3009')
    .map((asset) => ({
      network,
      chainId: Number(network.slice('eip155:'.length)),
      address: asset.asset.toLowerCase(),
      symbol: asset.symbol ?? asset.name,
      decimals: asset.decimals,
      currency: CURRENCY,
      domain: { name: asset.name, version: asset.version },
    })),
)

const BY_PLACE = new Map(ASSETS.map((asset) => [`${asset.network} ${asset.address}`, asset]))

const NETWORK_OF_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(EVM_NETWORK_CHAIN_ID_MAP).map(([name, chainId]) => [name, `eip155:${chainId}`]),
)

/** Returns undefined for a token that is not listed, because its value is unknown. */
export function findAsset(network: string, address: string): Asset | undefined {
  return BY_PLACE.get(`${network} ${address.toLowerCase()}`)
}

export function assetsOn(network: string): readonly Asset[] {
  return ASSETS.filter((asset) => asset.network === network)
}

export function knownNetworks(): string[] {
  return [...new Set(ASSETS.map(({ network }) => network))]
}

/** Returns the CAIP-2 id of a network name. Version 1 of the protocol uses names. */
export function networkOfName(name: string): string | undefined {
  return NETWORK_OF_NAME.get(name)
}

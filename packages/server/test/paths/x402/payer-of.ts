import { type Hex, recoverTypedDataAddress } from 'viem'
import { DOMAIN, USDC } from './some-offer.ts'

interface Payload {
  readonly payload: {
    readonly signature: Hex
    readonly authorization: {
      readonly from: Hex
      readonly to: Hex
      readonly value: string
      readonly validAfter: string
      readonly validBefore: string
      readonly nonce: Hex
    }
  }
}

/** What the token checks, spelled out here so that our own spelling is not only held against itself. */
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Who has signed the transfer in this header, by the USDC of Base Sepolia; in lower case. */
export async function payerOf(headerValue: string): Promise<string> {
  const { payload }: Payload = JSON.parse(Buffer.from(headerValue, 'base64').toString('utf8'))
  const { value, validAfter, validBefore, ...addresses } = payload.authorization
  const payer = await recoverTypedDataAddress({
    domain: { ...DOMAIN, chainId: 84_532, verifyingContract: USDC },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...addresses,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
    signature: payload.signature,
  })
  return payer.toLowerCase()
}

import { createHmac } from 'node:crypto'
import type { OutboundClient } from '../../../outbound/outbound-client.ts'
import type { Database } from '../../../storage/engine/database.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import type { X402Payment } from '../payment.ts'
import { secretPurpose } from '../storage/sealed-values.ts'
import { findWalletWithSecret, type WalletWithSecret } from '../storage/wallets.ts'
import {
  type Hex,
  isHex,
  numberToHex,
  parseSignature,
  privateKeyToAccount,
  recoverTypedDataAddress,
  serializeSignature,
  type TypedDataDefinition,
} from '../x402-libraries.ts'
import { toTypedData } from './authorization.ts'

/** The holder of a key. The gateway requests only these signatures from it. */
export interface Signer {
  readonly address: string
  signTypedData(data: TypedDataDefinition): Promise<Hex>
}

export interface SignerParts {
  readonly db: Database
  readonly sealer: Sealer
  readonly outbound: OutboundClient
}

/** Some custodians require this type to be explicit. */
const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
/** The order of the curve secp256k1. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const REMOTE_TIMEOUT_MS = 5_000
const REMOTE_BYTES_MAX = 4_096

/**
 * Signs a payment that was stored with its decision. Nothing else can be signed, because this
 * function builds the data to sign from the stored row.
 */
export async function signPayment(parts: SignerParts, payment: X402Payment): Promise<Hex> {
  const { organizationId, walletId, authorization } = payment
  const wallet = await findWalletWithSecret(parts.db, organizationId, walletId)
  if (!wallet) throw new Error('The wallet of a payment does not exist.')
  const data = toTypedData(payment)
  const signer = openSigner(parts, organizationId, wallet)
  const signature = toStrictForm(await signer.signTypedData(data))
  const by = await recoverTypedDataAddress({ ...data, signature })
  if (by.toLowerCase() !== authorization.from)
    throw new Error('The signature was made with a different key.')
  return signature
}

/**
 * Converts a signature to the one form that tokens accept, because signers use several: the lower
 * of the two possible values of s, and 27 or 28 at the end where some signers use 0 or 1.
 */
function toStrictForm(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  const isHigh = BigInt(s) > CURVE_ORDER / 2n
  return serializeSignature({
    r,
    s: isHigh ? numberToHex(CURVE_ORDER - BigInt(s), { size: 32 }) : s,
    yParity: isHigh ? 1 - yParity : yParity,
  })
}

function openSigner(
  { sealer, outbound }: SignerParts,
  organizationId: string,
  wallet: WalletWithSecret,
): Signer {
  const secret = sealer.open(organizationId, secretPurpose(wallet), wallet.sealedSecret)
  if (wallet.signerUrl !== null) {
    return createRemoteSigner(outbound, { ...wallet, signerUrl: wallet.signerUrl }, secret)
  }
  if (!isHex(secret)) throw new Error('The stored key of a wallet is not a private key.')
  return privateKeyToAccount(secret)
}

/**
 * Calls a custodian at a URL that the organization chose. The request has the data to sign and an
 * HMAC-SHA256 of the body, by which the custodian recognizes the gateway. The answer has the
 * signature.
 */
function createRemoteSigner(
  outbound: OutboundClient,
  { address, signerUrl }: { readonly address: string; readonly signerUrl: string },
  secret: string,
): Signer {
  return {
    address,
    async signTypedData(data) {
      const typedData = { ...data, types: { EIP712Domain: DOMAIN_TYPE, ...data.types } }
      const body = JSON.stringify({ address, typedData }, (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      const answer = await outbound.call({
        method: 'POST',
        url: signerUrl,
        headers: {
          'content-type': 'application/json',
          'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
        },
        body,
        timeoutMs: REMOTE_TIMEOUT_MS,
        answerBytesMax: REMOTE_BYTES_MAX,
      })
      if (answer.kind === 'failure') throw new Error(answer.message)
      if (answer.status !== 200) throw new Error(`The signer answered ${answer.status}.`)
      const { signature } = JSON.parse(answer.body.toString('utf8'))
      if (!isHex(signature)) throw new Error('The signer answered without a signature.')
      return signature
    },
  }
}

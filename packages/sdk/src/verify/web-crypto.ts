import type { Bytes } from '../base/bytes.ts'
import { ProofError } from './error.ts'

/** The declaration of this file is published, so it uses no type of the audit package, which is bundled. */
interface SignatureCheck {
  /** The 32 bytes of the key. */
  readonly publicKey: Bytes
  readonly message: Bytes
  readonly signature: Bytes
}

export async function sha256(bytes: Bytes): Promise<Uint8Array> {
  return new Uint8Array(await subtle().digest('SHA-256', bytes))
}

/** Ed25519 (RFC 8032). */
export async function verifySignature({
  publicKey,
  message,
  signature,
}: SignatureCheck): Promise<boolean> {
  const algorithm = { name: 'Ed25519' }
  const key = await importKey(publicKey, algorithm)
  return subtle().verify(algorithm, key, signature, message)
}

async function importKey(publicKey: Bytes, algorithm: { readonly name: string }) {
  try {
    return await subtle().importKey('raw', publicKey, algorithm, false, ['verify'])
  } catch (cause) {
    throw new ProofError(
      'crypto_unsupported',
      'This runtime cannot verify Ed25519 signatures. Use Node 20, Deno, Bun, Chromium 137, Firefox 129, Safari 17, or a later version.',
      cause,
    )
  }
}

function subtle(): typeof crypto.subtle {
  // A browser has it only on https pages and on localhost.
  const { subtle: found } = globalThis.crypto ?? {}
  if (found) return found
  throw new ProofError(
    'crypto_unsupported',
    'This page has no crypto.subtle. Open it with https, or on localhost.',
  )
}

import type { Bytes, SignatureCheck } from '@purser/audit'
import { ProofError } from './error.ts'

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

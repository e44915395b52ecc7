import { type Bytes, decodeBase64, encodeBase64 } from '../base/bytes.ts'
import { isFields } from './claims.ts'
import { MandateTokenError } from './error.ts'

/** A token whose signature has not been verified yet. */
export interface ParsedToken {
  /** Names a key of the issuer. The token can name any. */
  readonly kid: string
  readonly claims: Readonly<Record<string, unknown>>
  /** The signed bytes. */
  readonly message: Bytes
  readonly signature: Bytes
}

/** The gateway accepts no longer ones either. */
const LENGTH_MAX = 16_384
const SIGNATURE_BYTES = 64
const KID_LENGTH_MAX = 256
/** With these a token names its own key, which any forger has. */
const OWN_KEYS = ['jku', 'jwk', 'x5u', 'x5c']

/** Reads a token in the JWS compact form, and checks its header. */
export function parseToken(token: unknown): ParsedToken {
  if (typeof token !== 'string' || token.length > LENGTH_MAX) throw malformed()
  const parts = token.split('.')
  const [header, claims, signature] = parts.map(decodeBase64Url)
  if (parts.length !== 3 || !header || !claims || signature?.length !== SIGNATURE_BYTES) {
    throw malformed()
  }
  const kid = readHeader(parseJson(header))
  const message = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')))
  return { kid, claims: parseJson(claims), message, signature }
}

/** Returns the id of the key. */
function readHeader(header: Readonly<Record<string, unknown>>): string {
  const { alg, typ, kid } = header
  if (alg !== 'ES256' || typ !== 'mandate+jwt') {
    throw refused('is not ES256 of the type mandate+jwt')
  }
  // A critical extension changes the meaning of the token, and this program knows none.
  if ('crit' in header) throw refused('has a critical extension')
  const own = OWN_KEYS.find((name) => name in header)
  if (own !== undefined) throw refused(`names its own key in ${own}`)
  if (typeof kid !== 'string' || kid === '' || kid.length > KID_LENGTH_MAX) {
    throw refused('names no key')
  }
  return kid
}

/**
 * Returns undefined unless the text is the only spelling of these bytes. Decoders ignore the unused
 * bits of the last letter, so one token would have several texts.
 */
function decodeBase64Url(text: string): Bytes | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  const plain = text.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = decodeBase64(plain)
  if (!bytes) return undefined
  return encodeBase64(bytes).replace(/=+$/, '') === plain ? bytes : undefined
}

function parseJson(bytes: Bytes): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isFields(value)) return value
  } catch {
    // The error is the same as for a text that is JSON but no object.
  }
  throw malformed()
}

function malformed(): MandateTokenError {
  return new MandateTokenError('token_malformed', 'The text is not a mandate token.')
}

function refused(fault: string): MandateTokenError {
  return new MandateTokenError('header_refused', `The header of the token ${fault}.`)
}

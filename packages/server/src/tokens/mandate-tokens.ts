import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { COUNT_MAX, toUuid, uuidV7 } from '../core/id.ts'
import type { Mandate } from '../core/mandates/mandate.ts'
import type { Instant } from '../core/time/instant.ts'
import {
  type ClaimsInput,
  canonicalLine,
  type TokenClaims,
  toClaims,
} from '../core/tokens/claims.ts'
import type { KeyRing } from './key-ring.ts'
import { ALGORITHM, loadJose } from './signing-keys.ts'

export const TOKEN_TYPE = 'mandate+jwt'

export interface IssuedToken {
  readonly token: string
  readonly kid: string
  readonly claims: TokenClaims
}

/** A token with a valid signature of ours, and its ids in the form of the database. */
export interface VerifiedToken {
  readonly claims: TokenClaims
  readonly id: string
  readonly organizationId: string
  readonly agentId: string
  readonly mandateId: string
}

export interface MandateTokens {
  /** Returns undefined if the mandate ends before such a token could be used. */
  issue(input: Omit<ClaimsInput, 'hash' | 'id'>, now: Instant): Promise<IssuedToken | undefined>
  /**
   * Returns undefined unless this issuer signed exactly this text as a mandate token. The caller
   * judges whether it is still valid.
   */
  verify(token: string, issuer: string): Promise<VerifiedToken | undefined>
  /** The keyed hash of a line (a mandate and its ancestors) in its current state. */
  hashOf(line: readonly Mandate[]): Promise<string>
}

export function createMandateTokens(keys: KeyRing): MandateTokens {
  async function hashOf(line: readonly Mandate[]): Promise<string> {
    const { hashSecret } = await keys.signer()
    return `hmac-sha256:${createHmac('sha256', hashSecret).update(canonicalLine(line)).digest('base64url')}`
  }

  return {
    hashOf,
    async issue(input, now) {
      // The id uses exactly this instant, because its time decides whether a token was issued
      // before a revocation. Ids from `newId` may run ahead of the clock.
      const id = uuidV7(now, randomInt(COUNT_MAX + 1), randomUUID())
      const claims = toClaims({ ...input, hash: await hashOf(input.line), id }, now)
      if (!claims) return undefined
      const { SignJWT } = await loadJose()
      const { key } = await keys.signer()
      const token = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPE, kid: key.kid })
        .sign(key.privateKey)
      return { token, kid: key.kid, claims }
    },
    async verify(token, issuer) {
      const signed = isPlain(token) ? await openSigned(keys, token) : undefined
      return signed === undefined ? undefined : readToken(signed, issuer)
    },
  }
}

/**
 * Base64url decoders ignore unused trailing bits, so a signature could be spelled in sixteen ways.
 * Only the canonical spelling is accepted.
 */
function isPlain(token: string): boolean {
  const parts = token.split('.')
  const isOwnSpelling = (part: string) =>
    part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
  return parts.length === 3 && parts.every(isOwnSpelling)
}

async function openSigned(keys: KeyRing, token: string): Promise<unknown> {
  const { compactVerify, errors } = await loadJose()
  try {
    const { payload, protectedHeader } = await compactVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keys.find(kid)
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key.publicKey
      },
      { algorithms: [ALGORITHM] },
    )
    if (protectedHeader.typ !== TOKEN_TYPE) return undefined
    return JSON.parse(Buffer.from(payload).toString())
  } catch (error) {
    // Only errors about the token count: an unavailable database says nothing about it.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/**
 * The token is signed, so we made it; but a different version of the program may use a different
 * form.
 */
function readToken(signed: unknown, issuer: string): VerifiedToken | undefined {
  if (!isClaims(signed) || signed.iss !== issuer) return undefined
  const id = toUuid('mtk', signed.jti)
  const organizationId = toUuid('org', signed.org)
  const mandateId = toUuid('mnd', signed.mandate.id)
  if (id === undefined || organizationId === undefined || mandateId === undefined) return undefined
  return { claims: signed, id, organizationId, mandateId, agentId: signed.sub }
}

function isClaims(signed: unknown): signed is TokenClaims {
  return typeof signed === 'object' && signed !== null && 'ver' in signed && signed.ver === 1
}

import { MandateTokenError } from './error.ts'

/** The content of a mandate token. Amounts are decimal strings in units of the currency. */
export interface MandateTokenClaims {
  /** The gateway that issued the token. */
  readonly iss: string
  /** The id of the agent. */
  readonly sub: string
  /** The origin that the token is for. */
  readonly aud: string
  /** When it was issued, becomes valid and expires, in seconds since 1970. */
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  /** The id of the token. Anyone who has a token can present it: accept each id once if it matters. */
  readonly jti: string
  readonly ver: 1
  readonly use: 'attestation'
  /** The id of the organization. */
  readonly org: string
  readonly mandate: {
    readonly id: string
    readonly version: number
    /** Only the gateway can compute it. */
    readonly hash: string
    readonly validUntil: string | null
  }
  readonly constraints: readonly MandateConstraint[]
  /** Only in tokens for the gateway itself. */
  readonly budget?: {
    readonly currency: string
    readonly limit: string
    readonly remaining: string
    readonly period: string
    readonly resetsAt: string | null
    readonly asOf: string
  }
}

/** The constraints of a token for a third party. Others appear only if the caller listed them. */
export type MandateConstraint =
  /** The host of the audience, which the mandate may pay. */
  | { readonly type: 'dev.purser.payee.1'; readonly vendor: string }
  /** The maximum for a single spend. It promises no funds. */
  | { readonly type: 'dev.purser.amount.1'; readonly max?: string; readonly currency?: string }

interface Expected {
  readonly audience: string
  /** In seconds since 1970. */
  readonly now: number
  readonly leeway: number
  readonly constraints: readonly string[]
}

const TEXTS = ['sub', 'jti', 'org'] as const

/** Checks the claims of a token with a valid signature. */
export function checkClaims(claims: Fields, expected: Expected): MandateTokenClaims {
  const { audience, now, leeway } = expected
  if (claims['aud'] !== audience) {
    throw new MandateTokenError(
      'audience_mismatch',
      `The token is not for ${audience}. Ask the agent for a token with this audience.`,
    )
  }
  const { iat, nbf, exp } = claims
  if (!isTime(iat) || !isTime(nbf) || !isTime(exp)) throw invalid('iat, nbf or exp')
  // Written so that a clock that is not a number refuses the token.
  if (!(now < exp + leeway)) {
    throw new MandateTokenError('token_expired', 'The token has expired. Ask for a new one.')
  }
  if (!(Math.max(nbf, iat) <= now + leeway)) {
    throw new MandateTokenError(
      'token_not_yet_valid',
      'The token is not valid yet. Check the clock of this machine.',
    )
  }
  checkForm(claims)
  checkConstraints(claims['constraints'], expected.constraints)
  return claims as unknown as MandateTokenClaims
}

type Fields = Readonly<Record<string, unknown>>

function checkForm(claims: Fields): void {
  const wrong = TEXTS.find((name) => typeof claims[name] !== 'string' || claims[name] === '')
  if (wrong) throw invalid(wrong)
  if (claims['ver'] !== 1) throw invalid('ver')
  if (claims['use'] !== 'attestation') throw invalid('use')
  const { mandate } = claims
  if (!isFields(mandate)) throw invalid('mandate')
  const { id, version, hash, validUntil } = mandate
  const isMandate =
    typeof id === 'string' &&
    typeof version === 'number' &&
    typeof hash === 'string' &&
    (validUntil === null || typeof validUntil === 'string')
  if (!isMandate) throw invalid('mandate')
}

/** A bound that the program does not know must not be ignored. */
function checkConstraints(constraints: unknown, known: readonly string[]): void {
  if (!Array.isArray(constraints)) throw invalid('constraints')
  for (const constraint of constraints) {
    const type = isFields(constraint) ? constraint['type'] : undefined
    if (typeof type !== 'string') throw invalid('constraints')
    if (known.includes(type)) continue
    throw new MandateTokenError(
      'constraint_unknown',
      'The token has a constraint that this program does not know. List its type in `constraints` only if your program checks it.',
    )
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function invalid(name: string): MandateTokenError {
  return new MandateTokenError(
    'claims_invalid',
    `The claim ${name} is missing or has an unknown form. The gateway may be newer than this program.`,
  )
}

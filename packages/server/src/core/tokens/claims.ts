import { canonicalTextOf } from '@purser/audit'
import { parseUrl } from '../../base/parse-url.ts'
import { toPublicId } from '../id.ts'
import { budgetAt, type Mandate } from '../mandates/mandate.ts'
import { toDecimal } from '../money.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { toVendor } from '../vendor.ts'
import { type Constraint, constraintsFor, constraintsOf } from './constraints.ts'
import { endOfLine } from './standing.ts'

/** How long a token may live, in seconds. */
export const TTL = { min: 30, max: 900, default: 300 }

/** The claims of a token (ADR 38). It attests, and never spends: the payee still asks the gateway. */
export interface TokenClaims {
  readonly iss: string
  /** The agent's id. */
  readonly sub: string
  readonly aud: string
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly jti: string
  readonly ver: 1
  readonly use: 'attestation'
  readonly org: string
  readonly mandate: {
    readonly id: string
    readonly version: number
    /** A keyed hash of the whole line of mandates; it changes with any of them. */
    readonly hash: string
    readonly validUntil: string | null
  }
  readonly constraints: readonly Constraint[]
  /**
   * Only in tokens for the gateway itself: a seller that knows the remaining budget could raise its
   * price to it.
   */
  readonly budget?: TokenBudget
}

/** Amounts are decimal strings in units of the currency. */
export interface TokenBudget {
  readonly currency: string
  readonly limit: string
  readonly remaining: string
  readonly period: Mandate['budgetPeriod']
  readonly resetsAt: string | null
  readonly asOf: string
}

export interface ClaimsInput {
  readonly issuer: string
  readonly audience: string
  /** The host of an outside audience; undefined if the token is for the issuer. */
  readonly vendor: string | undefined
  readonly organizationId: string
  /** The agent's own mandate first, then its ancestors. */
  readonly line: readonly [Mandate, ...Mandate[]]
  /** The mandates that a token for the issuer describes. An agent sees only its own. */
  readonly told: readonly [Mandate, ...Mandate[]]
  readonly hash: string
  /** A new id. Its time is `now`, to the millisecond. */
  readonly id: string
  readonly ttlSeconds: number
}

/** Returns undefined if the mandate ends before such a token could be used. */
export function toClaims(input: ClaimsInput, now: Instant): TokenClaims | undefined {
  const { line, told, vendor } = input
  const [own] = line
  const end = endOfLine(line)
  const iat = Math.floor(now / 1_000)
  const exp = Math.min(iat + input.ttlSeconds, end === null ? Infinity : Math.floor(end / 1_000))
  if (exp <= iat) return undefined
  return {
    iss: input.issuer,
    sub: own.agentId,
    aud: input.audience,
    iat,
    nbf: iat,
    exp,
    jti: toPublicId('mtk', input.id),
    ver: 1,
    use: 'attestation',
    org: toPublicId('org', input.organizationId),
    mandate: {
      id: toPublicId('mnd', own.id),
      version: own.version,
      hash: input.hash,
      validUntil: end === null ? null : toIso(end),
    },
    ...(vendor === undefined
      ? toldInside(told, now)
      : { constraints: constraintsFor(vendor, line) }),
  }
}

function toldInside(
  told: ClaimsInput['told'],
  now: Instant,
): Pick<TokenClaims, 'constraints' | 'budget'> {
  const { remaining } = budgetAt(scarcest(told, now), now)
  return { constraints: constraintsOf(told, remaining), budget: toTokenBudget(told, now) }
}

/** The mandate with the smallest remaining budget. */
export function scarcest(line: readonly [Mandate, ...Mandate[]], now: Instant): Mandate {
  const [first, ...others] = line
  return others.reduce(
    (least, next) =>
      budgetAt(next, now).remaining < budgetAt(least, now).remaining ? next : least,
    first,
  )
}

function toTokenBudget(line: readonly [Mandate, ...Mandate[]], now: Instant): TokenBudget {
  const mandate = scarcest(line, now)
  const { remaining, periodEnd } = budgetAt(mandate, now)
  return {
    currency: mandate.currency,
    limit: toDecimal(mandate.budgetTotal),
    remaining: toDecimal(remaining),
    period: mandate.budgetPeriod,
    resetsAt: periodEnd === null ? null : toIso(periodEnd),
    asOf: toIso(now),
  }
}

/**
 * One text for each state of a line: every mandate with its version and its terms. A changed parent
 * mandate gives a different text, and a hash of the text does not reveal that there is a parent.
 */
export function canonicalLine(line: readonly Mandate[]): string {
  return JSON.stringify(
    line.map((mandate) => [
      ...[mandate.id, mandate.version, mandate.name, mandate.currency, mandate.timezone],
      ...[mandate.validFrom, mandate.validUntil, mandate.budgetPeriod],
      ...[String(mandate.budgetTotal), mandate.discloseLimits, canonicalTextOf(mandate.rules)],
    ]),
  )
}

/** The audience of a token: one origin, and the vendor of its host. */
export interface Audience {
  readonly origin: string
  readonly vendor: string
}

// Only scheme, host and optionally a port: a token is for a whole site, and a path or a name before an
// @ would suggest a narrower audience than it has.
const ORIGIN = /^(https?):\/\/[^/?#@\\\s]+\/?$/i

/**
 * The normal form of an origin, so that one site has one name. Undefined for everything else. Plain
 * http is only for programs on the same machine, during development.
 */
export function toAudience(text: string, allowsLoopback: boolean): Audience | undefined {
  const [, scheme] = ORIGIN.exec(text) ?? []
  const vendor = scheme === undefined ? undefined : toVendor(text)
  const url = parseUrl(text)
  if (scheme === undefined || vendor === undefined || url === undefined) return undefined
  const isSecure = scheme.toLowerCase() === 'https'
  if (!isSecure && !(allowsLoopback && isLoopback(vendor))) return undefined
  const place = url.port === '' ? vendor : `${vendor}:${url.port}`
  return { origin: `${isSecure ? 'https' : 'http'}://${place}`, vendor }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

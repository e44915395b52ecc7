import { canonicalTextOf } from '@purser/audit'
import { toPublicId } from '../id.ts'
import { budgetAt, type Mandate } from '../mandates/mandate.ts'
import { toDecimal } from '../money.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { toVendor } from '../vendor.ts'
import { type Constraint, constraintsFor, constraintsOf } from './constraints.ts'
import { endOfLine } from './standing.ts'

/** How long a token may live, in seconds. */
export const TTL = { min: 30, max: 900, default: 300 }

/** What a token says. It attests, and never spends: whoever is paid still asks the gateway. */
export interface TokenClaims {
  readonly iss: string
  /** The agent. */
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
    /** A keyed hash of the whole line: another one after any change of it. */
    readonly hash: string
    readonly validUntil: string | null
  }
  readonly constraints: readonly Constraint[]
  /** Only for the gateway itself: a seller who knows what is left prices up to it. */
  readonly budget?: TokenBudget
}

/** Amounts are decimal texts in units of the currency. */
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
  /** The host of an audience outside; undefined if the token is for the issuer. */
  readonly vendor: string | undefined
  readonly organizationId: string
  /** The agent's own mandate first. */
  readonly line: readonly [Mandate, ...Mandate[]]
  /** The mandates that a token for the issuer tells of. An agent is told of its own alone. */
  readonly told: readonly [Mandate, ...Mandate[]]
  readonly hash: string
  /** A fresh id. Its time is `now`, to the millisecond. */
  readonly id: string
  readonly ttlSeconds: number
}

/** Undefined if the mandate ends before such a token could be used. */
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

/** The mandate that has least left. */
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
 * One text for each state of a line: every mandate with its version and its terms. A mandate above
 * that is changed makes another text, and nobody who sees only a hash of it learns that there is one.
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

/** Whom a token is for: one origin, and the vendor that its host is. */
export interface Audience {
  readonly origin: string
  readonly vendor: string
}

// Nothing but scheme, host and perhaps a port: a token is for a whole site, and a path or a name
// before an @ would only look like more than that.
const ORIGIN = /^(https?):\/\/[^/?#@\\\s]+\/?$/i

/**
 * The normal form of an origin, so that one site has one name. Undefined for everything else. Plain
 * http is for programs on the same machine while something is tried out.
 */
export function toAudience(text: string, allowsLoopback: boolean): Audience | undefined {
  const [, scheme] = ORIGIN.exec(text) ?? []
  const vendor = scheme === undefined ? undefined : toVendor(text)
  if (scheme === undefined || vendor === undefined || !URL.canParse(text)) return undefined
  const isSecure = scheme.toLowerCase() === 'https'
  if (!isSecure && !(allowsLoopback && isLoopback(vendor))) return undefined
  const { port } = new URL(text)
  const place = port === '' ? vendor : `${vendor}:${port}`
  return { origin: `${isSecure ? 'https' : 'http'}://${place}`, vendor }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

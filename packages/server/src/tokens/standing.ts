import { agentNotFound } from '../core/agent.ts'
import { instantOf } from '../core/id.ts'
import type { Mandate } from '../core/mandates/mandate.ts'
import type { Instant } from '../core/time/instant.ts'
import {
  type Inactive,
  type TokenAccount,
  whyInactive,
  withoutActive,
} from '../core/tokens/standing.ts'
import { findLastMandates, findNewestDrafts } from '../storage/decisions/locked-mandates.ts'
import { readSpenders } from '../storage/decisions/read-accounts.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { transactionFor } from '../storage/engine/queryable.ts'
import { findActiveLine, findMandate } from '../storage/mandates.ts'
import { ANYBODY, findRevokedAt } from '../storage/tokens/token-revocations.ts'
import type { MandateTokens, VerifiedToken } from './mandate-tokens.ts'

export type Line = readonly [Mandate, ...Mandate[]]

/**
 * The current state of an agent's mandate: its line (the mandate and its ancestors), or why there
 * is nothing to attest.
 */
export type Attestable =
  | { readonly now: Instant; readonly line: Line }
  | { readonly now: Instant; readonly inactive: Inactive }

interface StandingParts {
  readonly db: Database
  readonly clock: DatabaseClock
}

/** Throws if there is no such agent. */
export function readAttestable(
  { db, clock }: StandingParts,
  organizationId: string,
  agentId: string,
): Promise<Attestable> {
  return transactionFor(db, organizationId, async (tx) => {
    const { account, now } = await readAccount(tx, clock, organizationId, agentId)
    if (!account) throw agentNotFound(agentId)
    const inactive = whyInactive(account, now)
    const [own, ...above] = account.line
    if (own && !inactive) return { now, line: [own, ...above] }
    if (inactive && inactive.reason !== 'no_mandate') return { now, inactive }
    return { now, inactive: withoutActive(await findLastStatus(tx, organizationId, agentId)) }
  })
}

/**
 * Returns the line that a token describes, if the token is still true; undefined if it has expired,
 * was revoked, or anything in the line has changed. Without a token it does the same reads for an
 * id that does not exist, so the response time does not reveal the reason of a refusal.
 */
export async function readLiving(
  { db, clock, tokens }: StandingParts & { readonly tokens: MandateTokens },
  organizationId: string,
  token: VerifiedToken | undefined,
): Promise<{ readonly now: Instant; readonly line: Line } | undefined> {
  const sought = token ?? { id: ANYBODY, mandateId: ANYBODY, agentId: ANYBODY }
  const [{ account, now }, revokedAt] = await transactionFor(db, organizationId, (tx) =>
    Promise.all([
      readAccount(tx, clock, organizationId, sought.agentId),
      findRevokedAt(tx, organizationId, sought),
    ]),
  )
  const [own, ...above] = account?.line ?? []
  const hash = await tokens.hashOf(account?.line ?? [])
  if (!token || !account || !own || whyInactive(account, now)) return undefined
  const { claims, id, mandateId } = token
  const isInTime = claims.nbf * 1_000 <= now && now < claims.exp * 1_000
  const isRevoked = revokedAt !== undefined && instantOf(id) <= revokedAt
  const isUnchanged = own.id === mandateId && claims.mandate.hash === hash
  return isInTime && !isRevoked && isUnchanged ? { now, line: [own, ...above] } : undefined
}

async function readAccount(
  tx: Tx,
  clock: DatabaseClock,
  organizationId: string,
  agentId: string,
): Promise<{ readonly account: TokenAccount | undefined; readonly now: Instant }> {
  const [line, [spender], now] = await Promise.all([
    findActiveLine(tx, organizationId, agentId),
    readSpenders(tx, organizationId, [agentId]),
    clock(tx),
  ])
  const isThere = spender !== undefined && spender.agentId !== null && !spender.isDeleted
  if (!isThere) return { account: undefined, now }
  return { account: { isFrozen: spender.frozen, agentStatus: spender.status, line }, now }
}

async function findLastStatus(
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<'draft' | 'revoked' | 'expired' | undefined> {
  const [[draft], [last]] = await Promise.all([
    findNewestDrafts(tx, organizationId, [agentId]),
    findLastMandates(tx, organizationId, [agentId]),
  ])
  if (draft) return 'draft'
  const mandate = last && (await findMandate(tx, organizationId, last.id))
  return mandate?.status === 'revoked' || mandate?.status === 'expired' ? mandate.status : undefined
}

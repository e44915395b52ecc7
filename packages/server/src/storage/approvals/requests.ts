import type { Approval } from '../../core/approvals/approval.ts'
import type { Lift } from '../../core/approvals/permit.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement, Tx } from '../engine/database.ts'
import { plainArray, plainTexts, textArray, texts } from '../engine/wire-array.ts'

/** A pending request, with the fields that a repeated request needs to join it. */
export interface WaitingRequest {
  readonly id: string
  readonly agentId: string
  readonly digest: string
  readonly expiresAt: Instant
  readonly askedBy: readonly string[]
}

/**
 * All pending requests of these agents. Requests of a mandate are opened under its lock, so a
 * caller that holds the lock and finds no equal request can open one.
 */
export function listWaitingRequests(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
  now: Instant,
): Promise<WaitingRequest[]> {
  return tx.query<WaitingRequest>({
    name: 'list-waiting-requests',
    text: `
      select id, agent_id as "agentId", digest, expires_at as "expiresAt", asked_by as "askedBy"
      from approvals
      where organization_id = $1 and agent_id = any($2::uuid[]) and status = 'pending'
        and expires_at > $3`,
    values: [organizationId, plainArray(agentIds), toIso(now)],
  })
}

/** A new request for approval. */
export interface NewRequest
  extends Omit<Approval, 'status' | 'maxAmount' | 'usedBy' | 'usedAt' | 'createdAt'> {
  readonly lifts: readonly Lift[]
  readonly digest: string
}

export function openRequests(
  organizationId: string,
  now: Instant,
  requests: readonly NewRequest[],
): Statement {
  const plain = (pick: (request: NewRequest) => string | number | bigint | null): string =>
    plainArray(requests.map(pick))
  const text = (pick: (request: NewRequest) => string | null): string =>
    textArray(requests.map(pick))
  return {
    name: 'open-requests',
    text: OPEN_REQUESTS,
    values: [
      organizationId,
      toIso(now),
      plain(({ id }) => id),
      plain(({ agentId }) => agentId),
      plain(({ mandateId }) => mandateId),
      plain(({ transactionId }) => transactionId),
      text(({ path }) => path),
      text(({ vendor }) => vendor),
      text(({ category }) => category),
      plain(({ amount }) => amount),
      text(({ currency }) => currency),
      text(({ payee }) => payee),
      plain(({ cardId }) => cardId),
      text(({ lifts }) => JSON.stringify(lifts)),
      text(({ digest }) => digest),
      plain(({ asked }) => asked),
      text(({ askedBy }) => plainArray(askedBy)),
      plain(({ makesKnown }) => String(makesKnown)),
      plain(({ waitsMs }) => waitsMs),
      plain(({ expiresAt }) => toIso(expiresAt)),
    ],
  }
}

const OPEN_REQUESTS = `
  insert into approvals (
    organization_id, id, agent_id, mandate_id, transaction_id, path, vendor, category, amount, currency,
    payee, card_id, lifts, digest, status, asked, asked_by, makes_known, waits_ms, expires_at,
    created_at)
  select $1::uuid, r.id, r.agent_id, r.mandate_id, r.transaction_id, r.path, r.vendor, r.category,
         r.amount, r.currency, r.payee, r.card_id, r.lifts::jsonb, r.digest, 'pending', r.asked,
         r.asked_by::uuid[], r.makes_known, r.waits_ms, r.expires_at, $2::timestamptz
  from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], ${texts('$7')}, ${texts('$8')},
              ${texts('$9')}, $10::bigint[], ${texts('$11')}, ${texts('$12')}, $13::uuid[],
              ${texts('$14')}, ${texts('$15')}, $16::integer[], ${texts('$17')}, $18::boolean[],
              $19::integer[], $20::timestamptz[])
    as r (id, agent_id, mandate_id, transaction_id, path, vendor, category, amount, currency, payee,
          card_id, lifts, digest, asked, asked_by, makes_known, waits_ms, expires_at)`

/** A pending request that further spends join. */
export interface Joining {
  readonly id: string
  readonly asked: number
  /** Everyone who has asked, including those before. */
  readonly askedBy: readonly string[]
}

/**
 * A request that a person has decided meanwhile stays as it is; the spends that joined get that
 * decision.
 */
export function joinRequests(organizationId: string, joining: readonly Joining[]): Statement {
  return {
    name: 'join-requests',
    text: `
      update approvals a set asked = a.asked + j.asked, asked_by = ${plainTexts('j.asked_by')}::uuid[]
      from unnest($2::uuid[], $3::integer[], ${texts('$4')}) as j (id, asked, asked_by)
      where a.organization_id = $1 and a.id = j.id and a.status = 'pending'`,
    values: [
      organizationId,
      plainArray(joining.map(({ id }) => id)),
      plainArray(joining.map(({ asked }) => asked)),
      textArray(joining.map(({ askedBy }) => plainArray(askedBy))),
    ],
  }
}

/**
 * Only for the few decisions that involve an approval, so that all others do not pay for the
 * column.
 */
export function noteApprovals(
  organizationId: string,
  noted: readonly { readonly transactionId: string; readonly approvalId: string }[],
): Statement {
  const ids = plainArray(noted.map(({ transactionId }) => transactionId))
  return {
    name: 'note-approvals',
    text: `
      update transactions t set approval_id = n.approval_id
      from unnest($2::uuid[], $3::uuid[]) as n (id, approval_id)
      where t.organization_id = $1 and t.id = n.id
        -- Repeated, because only this condition tells the planner which partitions to skip.
        and t.id = any($2::uuid[])`,
    values: [organizationId, ids, plainArray(noted.map(({ approvalId }) => approvalId))],
  }
}

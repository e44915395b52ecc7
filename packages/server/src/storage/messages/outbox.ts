import type { KnownMessage, Planned } from '../../core/messages/digest.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import { plainArray, plainTexts, textArray, texts } from '../engine/wire-array.ts'
import { newId } from '../new-id.ts'

/**
 * Locks the messages that wait, and reads those that ended after `since`. A sender skips locked
 * messages, so none of them is sent while items are added.
 */
export function lockKnownMessages(
  tx: Tx,
  organizationId: string,
  since: Instant,
): Promise<KnownMessage[]> {
  return tx.query<KnownMessage>({
    name: 'lock-known-messages',
    text: `
      select id, kind, recipient_id as "recipientId", items, item_count as "itemCount",
             ended_at as "endedAt", lease_id is not null as "isLeased"
      from messages
      where organization_id = $1 and kind <> 'invitation'
        and (status = 'waiting' or status = 'sent' and ended_at > $2)
      order by id desc for update`,
    values: [organizationId, toIso(since)],
  })
}

export function growMessages(
  organizationId: string,
  grown: readonly {
    readonly id: string
    readonly items: readonly string[]
    readonly itemCount: number
  }[],
): Statement {
  return {
    name: 'grow-messages',
    text: `
      update messages m set items = ${plainTexts('g.items')}::uuid[], item_count = g.item_count
      from unnest($2::uuid[], ${texts('$3')}, $4::integer[]) as g (id, items, item_count)
      where m.organization_id = $1 and m.id = g.id and m.status = 'waiting'`,
    values: [
      organizationId,
      plainArray(grown.map(({ id }) => id)),
      textArray(grown.map(({ items }) => plainArray(items))),
      plainArray(grown.map(({ itemCount }) => itemCount)),
    ],
  }
}

export function addMessages(
  organizationId: string,
  added: readonly Planned[],
  at: Instant,
): Statement {
  return {
    name: 'add-messages',
    text: `
      insert into messages (organization_id, id, channel, kind, recipient_id, items, item_count,
                            status, due_at, created_at)
      select $1::uuid, a.id, a.channel, a.kind, a.recipient_id, a.items::uuid[], a.item_count,
             'waiting', a.due_at, $2::timestamptz
      from unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], ${texts('$7')}, $8::integer[],
                  $9::timestamptz[])
        as a (id, channel, kind, recipient_id, items, item_count, due_at)`,
    values: [
      organizationId,
      toIso(at),
      plainArray(added.map(() => newId(at))),
      plainArray(added.map(({ recipient }) => recipient.channel)),
      plainArray(added.map(({ kind }) => kind)),
      plainArray(added.map(({ recipient }) => recipient.id)),
      textArray(added.map(({ items }) => plainArray(items))),
      plainArray(added.map(({ itemCount }) => itemCount)),
      plainArray(added.map(({ dueAt }) => toIso(dueAt))),
    ],
  }
}

/** A message that this process sends now. */
export interface ClaimedMessage {
  readonly id: string
  readonly channel: 'mail' | 'chat'
  readonly kind: string
  readonly recipientId: string
  readonly items: readonly string[]
  readonly itemCount: number
  /** Attempts that failed, and leases that ended without a result. */
  readonly failures: number
  readonly sealedToken: Buffer | null
  readonly createdAt: Instant
}

/** The organizations with messages that are due, read without locks. */
export async function listDueMessages(
  db: Queryable,
  channel: ClaimedMessage['channel'],
  now: Instant,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'list-due-messages',
    text: `
      select o.id from organizations o
      where (select min(q.due_at) from messages q
             where q.organization_id = o.id /*among q.organization_id*/
               and q.channel = $1 and q.status = 'waiting') <= $2 /*among o.id*/`,
    values: [channel, toIso(now)],
  })
  return rows.map(({ id }) => id)
}

export interface MessageClaim {
  readonly channel: ClaimedMessage['channel']
  readonly leaseId: string
  readonly now: Instant
  readonly leasedUntil: Instant
  readonly limit: number
}

/**
 * Leases due messages, invitations first. Skips those that a different process has locked. A lease
 * that ended without a result counts as a failure, so a message that stops its process is not tried
 * for ever.
 */
export function claimMessages(
  tx: Tx,
  organizationId: string,
  { channel, leaseId, now, leasedUntil, limit }: MessageClaim,
): Promise<ClaimedMessage[]> {
  return tx.query<ClaimedMessage>({
    name: 'claim-messages',
    text: `
      with due as (
        select id from messages
        where organization_id = $1 and channel = $2 and status = 'waiting' and due_at <= $3
        order by kind = 'invitation' desc, due_at, id limit $4 for update skip locked
      )
      update messages m
      set due_at = $5, lease_id = $6,
          failures = m.failures + case when m.lease_id is null then 0 else 1 end
      from due where m.organization_id = $1 and m.id = due.id
      returning m.id, m.channel, m.kind, m.recipient_id as "recipientId", m.items,
                m.item_count as "itemCount", m.failures, m.sealed_token as "sealedToken",
                m.created_at as "createdAt"`,
    values: [organizationId, channel, toIso(now), limit, toIso(leasedUntil), leaseId],
  })
}

/** How many messages were sent after this instant, or are being sent; stops counting at `most`. */
export async function countSentMessages(
  db: Queryable,
  organizationId: string,
  since: Instant,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-sent-messages',
    text: `
      select count(*) as count from (
        (select 1 from messages
         where organization_id = $1 and status <> 'waiting' and status = 'sent' and ended_at > $2
         limit $3)
        union all
        (select 1 from messages
         where organization_id = $1 and status = 'waiting' and lease_id is not null limit $3)) s`,
    values: [organizationId, toIso(since), most],
  })
  return Number(row?.count ?? 0n)
}

/** Changes nothing if the lease has ended and a different process has taken the message. */
export function endMessage(
  organizationId: string,
  { id, leaseId }: { readonly id: string; readonly leaseId: string },
  status: 'sent' | 'failed' | 'dropped',
  at: Instant,
): Statement {
  return {
    name: 'end-message',
    text: `update messages set status = $4, ended_at = $5, lease_id = null, sealed_token = null
           where organization_id = $1 and id = $2 and lease_id = $3`,
    values: [organizationId, id, leaseId, status, toIso(at)],
  }
}

/** Lets the message wait for a further attempt. */
export function postponeMessage(
  organizationId: string,
  { id, leaseId }: { readonly id: string; readonly leaseId: string },
  dueAt: Instant,
): Statement {
  return {
    name: 'postpone-message',
    text: `update messages set failures = failures + 1, due_at = $4, lease_id = null
           where organization_id = $1 and id = $2 and lease_id = $3`,
    values: [organizationId, id, leaseId, toIso(dueAt)],
  }
}

const KEPT_MS = 7 * 86_400_000

/** Removes messages a week after they were created, a bounded number per call. */
export async function removeOldMessages(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from messages where (organization_id, id) in (
        select organization_id, id from messages where created_at < $1 limit 1000)
      returning 1`,
    values: [toIso(now - KEPT_MS)],
  })
  return rows.length
}

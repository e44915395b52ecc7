import { receiverOf } from '../core/change.ts'
import { envelopeOf, type StoredEvent } from '../core/events/event.ts'
import { toPublicId } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'
import { findHead, type SignedHead } from '../storage/audit/logs.ts'
import type { Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { webhookSecretPurpose } from '../storage/secrets/webhook-secret.ts'
import { findDeliveryBodies } from '../storage/webhooks/deliveries.ts'
import type { Lane } from '../storage/webhooks/lanes.ts'
import {
  dropEntries,
  lockDueEntries,
  type QueueEntry,
  type StartedAttempt,
  startAttempts,
} from '../storage/webhooks/queue.ts'
import { findEvents } from '../storage/webhooks/read-events.ts'
import { findWebhookTarget, type WebhookTarget } from '../storage/webhooks/targets.ts'
import { openUrl } from '../storage/webhooks/urls.ts'
import type { Attempt } from './attempt.ts'
import type { FailedDelivery } from './failed-delivery.ts'
import { IN_FLIGHT_MAX } from './sender-shares.ts'
import { type SigningSecrets, signatureHeaders } from './signature.ts'

/**
 * Longer than any attempt takes. A while after that, the process that made the attempt counts as dead
 * (takeovers.ts).
 */
export const LEASE_MS = 15_000
/**
 * Interruptions are our fault, not the receiver's. But an entry that kills its process must be
 * given up at some point.
 */
const INTERRUPTIONS_MAX = 3

export interface ClaimParts {
  readonly sealer: Sealer
  /** The number of retries of a failed delivery. */
  readonly retries: number
  /** Whether an attempt whose lease has expired may be made again. */
  isLost(attemptId: string): boolean
}

/** How many attempts may be started for a lane in one round. */
export interface Share extends Lane {
  readonly room: number
}

interface Claim {
  readonly attempts: readonly Attempt[]
  /** Deliveries that can never be sent, or were interrupted too often. */
  readonly failed: readonly FailedDelivery[]
}

const NOTHING: Claim = { attempts: [], failed: [] }

/**
 * Leases due entries of a lane, as many as there is room for, and writes the attempts into
 * the delivery log. They may be sent once the transaction has committed (ADR 13).
 */
export async function claimDue(
  tx: Tx,
  { sealer, retries, isLost }: ClaimParts,
  { room, ...lane }: Share,
  now: Instant,
): Promise<Claim> {
  const { organizationId, endpointId } = lane
  // The order matters: a target that is read after the entries shows whether they are still to be
  // divided among several endpoints.
  const [entries, target, head] = await Promise.all([
    lockEntries(tx, lane, now, room, isLost),
    findWebhookTarget(tx, lane),
    findHead(tx, organizationId),
  ])
  if (entries.length === 0 || isHeldBack(lane, target)) return NOTHING
  const url = target ? openUrl(sealer, organizationId, target) : null
  if (!target || url === null) {
    tx.send(dropEntries(organizationId, idsOf(entries), 'canceled'))
    return NOTHING
  }
  const accounted = entries.map(account)
  const [exhausted, open] = partition(accounted, (entry) => isExhausted(entry, retries))
  if (exhausted.length > 0) tx.send(dropEntries(organizationId, idsOf(exhausted), 'failed'))
  const { ready, needless, unsendable } = await readBodies(tx, organizationId, open)
  if (needless.length > 0) tx.send(dropEntries(organizationId, idsOf(needless), 'canceled'))
  if (unsendable.length > 0) tx.send(dropEntries(organizationId, idsOf(unsendable), 'failed'))
  const secrets = openSecrets(sealer, lane, target, now)
  const treeHead = head ? treeHeadHeader(head) : {}
  const started = ready.map((entry) => toAttempt(entry, secrets, now, treeHead))
  if (started.length > 0) {
    const to = { receiver: receiverOf(url), urlId: target.urlId }
    for (const statement of startAttempts(lane, to, now, now + LEASE_MS, started)) {
      tx.send(statement)
    }
  }
  return {
    attempts: started.map(({ id, entry, requestHeaders: headers, body, occurredAt }) => ({
      id,
      organizationId,
      endpointId: endpointId ?? organizationId,
      failingSince: target.failingSince,
      entry,
      url,
      headers,
      body,
      claimedAt: now,
      occurredAt,
    })),
    failed: [
      ...exhausted.map((entry) => toFailure(organizationId, entry, 'interrupted')),
      ...unsendable.map((entry) => toFailure(organizationId, entry, 'unsendable')),
    ],
  }
}

/**
 * Locks entries whose attempt may be made. An attempt that may still end comes first, because its lease
 * has expired earlier, so the entries behind those of a process that died are looked at as well.
 */
async function lockEntries(
  tx: Tx,
  lane: Lane,
  now: Instant,
  room: number,
  isLost: ClaimParts['isLost'],
): Promise<QueueEntry[]> {
  const isFree = ({ lostAttemptId: id }: QueueEntry): boolean => id === null || isLost(id)
  const first = await lockDueEntries(tx, lane, now, room)
  const free = first.filter(isFree)
  if (free.length === first.length || first.length < room) return free
  const all = await lockDueEntries(tx, lane, now, room + IN_FLIGHT_MAX)
  return all.filter(isFree).slice(0, room)
}

/** Whether the lane's entries must wait, because its endpoint was paused or is one of several now. */
function isHeldBack({ endpointId }: Lane, target: WebhookTarget | undefined): boolean {
  return target !== undefined && (target.isPaused || (endpointId === null && target.isShared))
}

function toFailure(
  organizationId: string,
  { deliveryId, failures }: QueueEntry,
  errorClass: string,
): FailedDelivery {
  return { organizationId, deliveryId, statusCode: null, errorClass, attempts: failures }
}

type Ready = Pick<StartedAttempt, 'entry' | 'kind' | 'body' | 'occurredAt'>

/**
 * Reads the body of each entry, as it was first sent. A retry is needless if a requested redelivery
 * has succeeded meanwhile.
 */
async function readBodies(
  tx: Tx,
  organizationId: string,
  entries: readonly QueueEntry[],
): Promise<{
  readonly ready: readonly Ready[]
  readonly needless: readonly QueueEntry[]
  readonly unsendable: readonly QueueEntry[]
}> {
  const eventIds = [...new Set(entries.map(({ eventId }) => eventId))]
  const deliveryIds = [...new Set(entries.map(({ deliveryId }) => deliveryId))]
  const [events, deliveries] = await Promise.all([
    findEvents(tx, organizationId, eventIds),
    findDeliveryBodies(tx, organizationId, deliveryIds),
  ])
  const eventById = new Map(events.map((event) => [event.id, event]))
  const ready: Ready[] = []
  const needless: QueueEntry[] = []
  const unsendable: QueueEntry[] = []
  for (const entry of entries) {
    const event = eventById.get(entry.eventId)
    const delivery = deliveries.get(entry.deliveryId)
    const body = delivery?.body ?? (event && bodyOf(event))
    if (!event || body === undefined) unsendable.push(entry)
    else if (!entry.isManual && delivery?.status === 'succeeded') needless.push(entry)
    else ready.push({ entry, kind: event.kind, body, occurredAt: event.occurredAt })
  }
  return { ready, needless, unsendable }
}

/** Returns undefined if the event's subject is gone; the other events must still be sent. */
function bodyOf(event: StoredEvent): string | undefined {
  try {
    return JSON.stringify(envelopeOf(event))
  } catch {
    return undefined
  }
}

/** An interrupted attempt does not count against the receiver, unless it keeps happening. */
function account(entry: QueueEntry): QueueEntry {
  if (entry.lostAttemptId === null) return entry
  if (entry.interruptions < INTERRUPTIONS_MAX) {
    return { ...entry, interruptions: entry.interruptions + 1 }
  }
  return { ...entry, failures: entry.failures + 1 }
}

function isExhausted({ failures, isManual }: QueueEntry, retries: number): boolean {
  return failures > (isManual ? 0 : retries)
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

function openSecrets(
  sealer: Sealer,
  { organizationId, endpointId }: Lane,
  { secret, previousSecret, previousSecretUntil }: WebhookTarget,
  now: Instant,
): SigningSecrets {
  const purpose = webhookSecretPurpose(organizationId, endpointId)
  const isValid = previousSecretUntil !== null && now < previousSecretUntil
  const previous = isValid && previousSecret ? previousSecret : undefined
  return {
    current: sealer.open(organizationId, purpose, secret),
    previous: previous && sealer.open(organizationId, purpose, previous),
  }
}

function toAttempt(
  ready: Ready,
  secrets: SigningSecrets,
  now: Instant,
  treeHead: Readonly<Record<string, string>>,
): StartedAttempt {
  const eventId = toPublicId('evt', ready.entry.eventId)
  return {
    ...ready,
    id: newId(now),
    requestHeaders: {
      'content-type': 'application/json',
      'user-agent': 'Purser-Webhooks/1',
      ...signatureHeaders(secrets, eventId, now, ready.body),
      ...treeHead,
    },
  }
}

function idsOf(entries: readonly QueueEntry[]): string[] {
  return entries.map(({ id }) => id)
}

/**
 * The signed head of the audit log, so that every receiver of webhooks automatically keeps heads.
 * It has several lines and characters that headers cannot hold, so it is sent as Base64.
 */
function treeHeadHeader({ note }: SignedHead): Readonly<Record<string, string>> {
  return { 'purser-tree-head': Buffer.from(note).toString('base64') }
}

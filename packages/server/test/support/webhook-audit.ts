import { createHmac } from 'node:crypto'
import { toPublicId } from '../../src/core/id.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import type { Sealer } from '../../src/storage/secrets/sealed.ts'
import { WEBHOOK_SECRET_PURPOSE } from '../../src/storage/secrets/webhook-secret.ts'
import { audit } from './audit.ts'
import type { ChaosEvent, ChaosRequest } from './chaos-receiver.ts'
import type { Tenant } from './tenant.ts'

/** Interruptions beyond this many count as failures. */
const INTERRUPTIONS_MAX = 3
const ATTEMPTS = 5

export interface DeliveryAudit {
  readonly events: number
  readonly succeeded: number
  readonly failed: number
  /** The number of attempts whose process died. */
  readonly interrupted: number
  /** Requests for an event that had already been answered with a 2xx. */
  readonly duplicates: number
  /** A line for every mistake. */
  readonly faults: string[]
}

interface LoggedEvent {
  readonly id: string
  readonly organizationId: string
  readonly status: string | null
  readonly ended: number | null
  readonly outcomes: readonly string[]
  readonly signatures: readonly string[]
  readonly answered: readonly boolean[]
}

/**
 * Compares the delivery log with the requests that the receivers have seen. Nothing is missing.
 * Nothing was sent twice, except for an attempt whose process died. Nothing was sent that is not in
 * the delivery log, and the delivery log has no answer that was not sent.
 */
export async function auditDeliveries(
  db: Database,
  sealer: Sealer,
  tenants: readonly Tenant[],
  received: ReadonlyMap<string, ChaosEvent>,
  kills: number,
): Promise<DeliveryAudit> {
  const faults = await audit(db)
  const secrets = await openSecrets(db, sealer)
  const tempers = new Map(tenants.map((tenant) => [tenant.organizationId, tenant.temper]))
  const events = await readLog(db)
  const counts = { events: events.length, succeeded: 0, failed: 0, interrupted: 0, duplicates: 0 }
  const known = new Set<string>()
  for (const event of events) {
    const id = toPublicId('evt', event.id)
    known.add(id)
    const seen = received.get(id)
    const requests = seen?.requests ?? []
    const isReached = ['quick', 'slow'].includes(tempers.get(event.organizationId) ?? '')
    const isAcked = isReached && seen?.fate.fails !== Number.POSITIVE_INFINITY
    const secret = secrets.get(event.organizationId) ?? ''
    const wrong = [
      ...wrongEnd(event, requests, isAcked),
      ...wrongRequests(event, requests, kills),
      ...wrongBytes(requests, secret),
    ]
    faults.push(...wrong.map((line) => `${id} (${tempers.get(event.organizationId)}): ${line}`))
    counts.succeeded += event.status === 'succeeded' ? 1 : 0
    counts.failed += event.status === 'failed' ? 1 : 0
    counts.interrupted += countOf(event.outcomes, 'interrupted')
    counts.duplicates += duplicatesIn(requests)
  }
  for (const id of received.keys()) if (!known.has(id)) faults.push(`${id}: sent, and no event`)
  return { ...counts, faults }
}

function readLog(db: Database): Promise<LoggedEvent[]> {
  return db.query<LoggedEvent>({
    text: `
      select e.id, e.organization_id as "organizationId", d.status, d.attempts as ended,
             coalesce(a.outcomes, '{}') as outcomes, coalesce(a.signatures, '{}') as signatures,
             coalesce(a.answered, '{}') as answered
      from webhook_events e
      left join webhook_deliveries d on d.organization_id = e.organization_id and d.id = e.id
      left join (
        select organization_id, delivery_id, array_agg(outcome) as outcomes,
               array_agg(request_headers ->> 'webhook-signature') as signatures,
               array_agg(status_code is not null) as answered
        from webhook_attempts group by 1, 2
      ) a on a.organization_id = e.organization_id and a.delivery_id = e.id`,
  })
}

async function openSecrets(db: Database, sealer: Sealer): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; secret: Buffer }>({
    text: 'select id, webhook_secret as secret from organizations',
  })
  return new Map(
    rows.map(({ id, secret }) => [id, sealer.open(id, WEBHOOK_SECRET_PURPOSE, secret)]),
  )
}

/**
 * A delivery is acknowledged in the end, or fails after exactly five attempts that count. If it was
 * interrupted so often that interruptions count, both ends are possible.
 */
function wrongEnd(
  { status, ended, outcomes }: LoggedEvent,
  requests: readonly ChaosRequest[],
  isAcked: boolean,
): string[] {
  const failed = countOf(outcomes, 'failed')
  const succeeded = countOf(outcomes, 'succeeded')
  const held = Math.max(0, countOf(outcomes, 'interrupted') - INTERRUPTIONS_MAX)
  const counted = failed + held
  const isGivenUp = !isAcked || (held > 0 && counted === ATTEMPTS)
  const isSuccess = status === 'succeeded'
  const wrongs = {
    'wrong end': status !== (isGivenUp ? 'failed' : 'succeeded'),
    'never acknowledged': isSuccess && !requests.some(({ isAck }) => isAck),
    'not five attempts': isSuccess ? counted >= ATTEMPTS : counted !== ATTEMPTS,
    'more than one success': succeeded > 1,
    'an attempt never ended': outcomes.includes('started'),
    'miscounted attempts': ended !== failed + succeeded,
  }
  const names = Object.entries(wrongs).flatMap(([name, isWrong]) => (isWrong ? [name] : []))
  return names.map((name) => `${name}: ${status}, ${ended} ended, ${outcomes.join(', ')}`)
}

/** Compares by signatures, which differ between attempts in different seconds. */
function wrongRequests(
  { outcomes, signatures, answered }: LoggedEvent,
  requests: readonly ChaosRequest[],
  kills: number,
): string[] {
  const sent = requests.map(({ signature }) => signature)
  const unlogged = [...new Set(sent)].filter(
    (signature) => countOf(sent, signature) > countOf(signatures, signature),
  )
  const unanswered = signatures.filter((_, index) => answered[index])
  const invented = [...new Set(unanswered)].filter(
    (signature) => countOf(unanswered, signature) > countOf(sent, signature),
  )
  const duplicates = duplicatesIn(requests)
  const interrupted = countOf(outcomes, 'interrupted')
  const allowed = Math.min(kills, interrupted)
  return [
    ...(interrupted <= kills ? [] : [`${interrupted} interruptions by ${kills} kills`]),
    ...unlogged.map(() => `${sent.length} requests, and ${signatures.length} in the log`),
    ...invented.map(() => 'the log tells of an answer to a request that never arrived'),
    ...(duplicates <= allowed ? [] : [`sent again ${duplicates} times: ${outcomes.join(', ')}`]),
  ]
}

function wrongBytes(requests: readonly ChaosRequest[], secret: string): string[] {
  const bodies = new Set(requests.map(({ body }) => body))
  const isSigned = requests.every(
    ({ body, serviceSignature }) =>
      createHmac('sha256', secret).update(body).digest('hex') === serviceSignature,
  )
  return [
    ...(bodies.size <= 1 ? [] : ['its body has changed']),
    ...(isSigned ? [] : ['its signature does not verify']),
  ]
}

/** Counts requests after one that had been answered with a 2xx. */
function duplicatesIn(requests: readonly ChaosRequest[]): number {
  const first = requests.findIndex(({ isAck }) => isAck)
  return first < 0 ? 0 : requests.length - 1 - first
}

function countOf(values: readonly string[], value: string): number {
  return values.filter((candidate) => candidate === value).length
}

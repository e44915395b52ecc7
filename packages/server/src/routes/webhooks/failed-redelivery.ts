import { type Static, Type } from 'typebox'
import { invalidFields, Problem } from '../../base/errors.ts'
import { idAt } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import { EXAMPLE_TIME } from '../../http/document/examples.ts'
import { nullable, timeWhen, toTimestamp } from '../../http/document/schemas.ts'
import { readTimes, timesOf } from '../../http/validation/query-times.ts'
import { readClockGap } from '../../storage/clock-gaps.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { accountRedelivery } from '../../storage/webhooks/account-redelivery.ts'
import { listEndpointIds } from '../../storage/webhooks/endpoints.ts'
import {
  beginRedelivery,
  countFailed,
  findRedelivery,
  lockRedelivery,
  REDELIVERED_MAX,
  type Redelivery,
  storeRedelivery,
  unqueue,
} from '../../storage/webhooks/redeliveries.ts'
import { DELIVERY_DETAIL_EXAMPLE } from './examples.ts'
import { DeliveryDetail } from './shape.ts'

/** The id of the task instead of a delivery's. */
export const FAILED = 'failed'

export const RedeliveryRequest = Type.Object(
  {
    ...timesOf('failed deliveries of events created'),
    stop: Type.Optional(
      Type.Literal(true, {
        description: 'Stops the running task. Attempts that are in progress still end.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'RedeliveryRequest',
    description: 'Which failed deliveries to send again. Only for the id `failed`.',
    examples: [{}],
  },
)

const IDLE = {
  id: FAILED,
  status: 'none',
  total: 0,
  sent: 0,
  failed: 0,
  from: null,
  to: null,
  startedAt: null,
  endedAt: null,
} as const

export const FailedRedelivery = Type.Object(
  {
    id: Type.Literal(FAILED, { description: 'Always `failed`.' }),
    status: Type.Enum(['none', 'running', 'done', 'stopped'], {
      type: 'string',
      description:
        '`none`: there was no task yet. `running`: the task sends failed deliveries again. `done`: the task has sent all of them. `stopped`: a caller stopped the task, or the last endpoint was removed.',
    }),
    total: Type.Integer({
      description: 'How many failed deliveries the task sends again, at most 100,000.',
    }),
    sent: Type.Integer({ description: 'How many of them your server has acknowledged.' }),
    failed: Type.Integer({ description: 'How many of them have failed again.' }),
    from: nullable(timeWhen('The beginning of the range', 'Null: the oldest delivery.')),
    to: nullable(timeWhen('The end of the range')),
    startedAt: nullable(timeWhen('When the task began')),
    endedAt: nullable(timeWhen('When the task ended', 'Null while it is running.')),
  },
  {
    title: 'FailedRedelivery',
    description: 'The task that sends failed deliveries again, oldest first.',
    examples: [
      { ...IDLE, status: 'running', total: 14, sent: 3, to: EXAMPLE_TIME, startedAt: EXAMPLE_TIME },
    ],
  },
)

export const DeliveryOrTask = Type.Union([DeliveryDetail, FailedRedelivery], {
  title: 'WebhookDeliveryOrTask',
  description: 'A delivery, or for the id `failed` the task that sends failed deliveries again.',
  examples: [DELIVERY_DETAIL_EXAMPLE],
})

type TaskShape = Static<typeof FailedRedelivery>
type Request = Static<typeof RedeliveryRequest>

export async function readTask(
  db: Pick<Database, 'query'>,
  organizationId: string,
): Promise<TaskShape> {
  return toTaskShape(await findRedelivery(db, organizationId))
}

/** A single delivery has no range and cannot be stopped. */
export function refuseRange(body: Request | null): void {
  const fields = Object.keys(body ?? {})
  if (fields.length === 0) return
  throw invalidFields(
    fields.map((name) => ({
      path: `/${name}`,
      code: 'not_allowed',
      message: `is only for POST /webhooks/deliveries/${FAILED}/redeliver`,
    })),
  )
}

const STOPS_ALL = {
  path: '/stop',
  code: 'not_allowed',
  message: 'cannot be combined with from or to',
}

/** Counts the failed deliveries of the range. It comes before the transaction, because it can be slow. */
export async function planTask(
  db: Database,
  organizationId: string,
  body: Request,
  timezone: string,
  now: Instant,
) {
  if (body.stop && (body.from ?? body.to) !== undefined) throw invalidFields([STOPS_ALL])
  const { from, to = now } = readTimes(body, timezone)
  const end = Math.min(to, now)
  const gapMs = await readClockGap(db, organizationId)
  const range = {
    from: from ?? null,
    to: end,
    afterId: idAt(from === undefined ? 0 : Math.max(0, from - gapMs)),
    endId: idAt(end + gapMs),
  }
  if (body.stop) return { ...range, total: 0 }
  const active = await listEndpointIds(db, organizationId, 'active')
  return { ...range, total: await countFailed(db, organizationId, range, active, REDELIVERED_MAX) }
}

export async function beginTask(
  tx: Tx,
  organizationId: string,
  plan: Awaited<ReturnType<typeof planTask>>,
  at: Instant,
): Promise<TaskShape> {
  const isEmpty = plan.total === 0
  const task = {
    ...plan,
    status: isEmpty ? 'done' : 'running',
    startedAt: at,
    endedAt: isEmpty ? at : null,
  } as const
  if (await beginRedelivery(tx, organizationId, task)) {
    return toTaskShape({ ...task, sent: 0, failed: 0 })
  }
  throw new Problem(
    'redelivery_running',
    'Failed deliveries are already being sent again. Wait until the task ends, or send {"stop": true} first.',
  )
}

/** Takes back what waits in the queue. Does nothing if no task is running. */
export async function stopTask(tx: Tx, organizationId: string, at: Instant): Promise<TaskShape> {
  const running = await lockRedelivery(tx, organizationId)
  if (!running) return readTask(tx, organizationId)
  const task = await accountRedelivery(tx, organizationId, running)
  tx.send(unqueue(organizationId, task.entryIds))
  const stopped = { ...task, status: 'stopped', endedAt: at } as const
  tx.send(storeRedelivery(organizationId, stopped))
  return toTaskShape(stopped)
}

function toTaskShape(task: Redelivery | undefined): TaskShape {
  if (!task) return IDLE
  return {
    id: FAILED,
    status: task.status,
    total: task.total,
    sent: task.sent,
    failed: task.failed,
    from: toTimestamp(task.from),
    to: toTimestamp(task.to),
    startedAt: toTimestamp(task.startedAt),
    endedAt: toTimestamp(task.endedAt),
  }
}

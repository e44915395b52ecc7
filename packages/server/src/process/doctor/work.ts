import type { Instant } from '../../core/time/instant.ts'
import { hasStoppedLog } from '../../storage/audit/stops.ts'
import { COUNTED_MAX, readPausedBacklog } from '../../storage/backlogs.ts'
import type { StoreState } from '../../storage/backup/store-state.ts'
import type { Queryable } from '../../storage/engine/database.ts'
import {
  COUNT_MAX,
  type Lag,
  readAnalyticsLag,
  readApprovalLag,
  readHoldLag,
  readSealingLag,
  readWebhookLag,
} from '../../storage/lags.ts'
import { type Check, type CheckName, fail, ok, warn } from './check.ts'

/** The workers run every second. A minute without progress means that none works. */
const LATE_MS = 60_000

const NO_WORKER = 'Check that a gateway runs, and read its log.'
const CLOSED = 'This work goes on once the store is open.'
const MOVED = 'The new store does this work.'
const HELD = 'Run purser restore --release-deliveries to send them.'

/** The work that waits in a store, by its state. */
export interface WorkParts {
  readonly db: Queryable
  readonly now: Instant
  /** Undefined for an open store. */
  readonly state: StoreState | undefined
}

export async function checkHolds(parts: WorkParts): Promise<Check> {
  return judge('holds', await readHoldLag(parts.db, parts.now), parts, {
    fine: 'No expired hold waits for its release.',
    one: 'expired hold still takes up budget',
    several: 'expired holds still take up budget',
  })
}

export async function checkApprovals(parts: WorkParts): Promise<Check> {
  return judge('approvals', await readApprovalLag(parts.db, parts.now), parts, {
    fine: 'No approval request is past its end.',
    one: 'approval request is past its end and still pending',
    several: 'approval requests are past their end and still pending',
  })
}

export async function checkSealing(parts: WorkParts): Promise<Check> {
  if (await hasStoppedLog(parts.db)) {
    return fail(
      'audit log',
      'Sealing has stopped in an audit log, because its feed repeats a number.',
      'Follow docs/guide-audit.md#a-log-that-has-stopped.',
    )
  }
  return judge('audit log', await readSealingLag(parts.db), parts, {
    fine: 'Every event is sealed into its audit log.',
    one: 'organization has events that are not sealed',
    several: 'organizations have events that are not sealed',
  })
}

export async function checkAnalytics(parts: WorkParts): Promise<Check> {
  return judge('analytics', await readAnalyticsLag(parts.db), parts, {
    fine: 'The spend totals have every event.',
    one: 'organization has events that its spend totals lack',
    several: 'organizations have events that their spend totals lack',
  })
}

export async function checkWebhookQueue(parts: WorkParts): Promise<Check> {
  return judge('webhook queue', await readWebhookLag(parts.db, parts.now), parts, {
    fine: 'No webhook delivery is due.',
    one: 'webhook delivery is due',
    several: 'webhook deliveries are due',
  })
}

/**
 * Deliveries to paused endpoints wait without a bound, because nothing is dropped (ADR 62). So the
 * operator must learn how many there are.
 */
export async function checkPausedEndpoints({ db, now, state }: WorkParts): Promise<Check> {
  const { count, since } = await readPausedBacklog(db)
  if (count === 0) return ok('paused queue', 'No delivery waits for a paused webhook endpoint.')
  const waits =
    since === null ? '' : `; the oldest has waited for ${toDuration(Math.max(0, now - since))}`
  const number = count >= COUNTED_MAX ? `${COUNTED_MAX - 1} or more` : String(count)
  const deliveries = count === 1 ? 'delivery waits' : 'deliveries wait'
  return warn(
    'paused queue',
    `${number} ${deliveries} for a paused webhook endpoint${waits}.`,
    actionIfClosed(state) ??
      'Repair and resume the endpoint, or remove it. Its deliveries wait without a limit and keep their events.',
  )
}

interface Words {
  readonly fine: string
  /** After the number 1. */
  readonly one: string
  /** After a larger number. */
  readonly several: string
}

function judge(name: CheckName, { count, oldest }: Lag, parts: WorkParts, words: Words): Check {
  if (count === 0 || oldest === null) return ok(name, words.fine)
  const lateMs = Math.max(0, parts.now - oldest)
  const number = count >= COUNT_MAX ? `${COUNT_MAX} or more` : String(count)
  const text = `${number} ${count === 1 ? words.one : words.several}; the oldest has waited for ${toDuration(lateMs)}.`
  return lateMs > LATE_MS ? warn(name, text, actionFor(name, parts)) : ok(name, text)
}

function actionFor(name: CheckName, { state }: WorkParts): string {
  const isHeld = state === 'holding' && name === 'webhook queue'
  return actionIfClosed(state) ?? (isHeld ? HELD : NO_WORKER)
}

/** Nothing can be changed in a closed store, and a moved one never opens again. */
function actionIfClosed(state: StoreState | undefined): string | undefined {
  if (state === undefined || state === 'holding') return undefined
  return state === 'moved' ? MOVED : CLOSED
}

function toDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3_600)} h`
}

import type { Instant } from '../../core/time/instant.ts'
import { hasStoppedLog } from '../../storage/audit/stops.ts'
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

export async function checkHolds(db: Queryable, now: Instant): Promise<Check> {
  return judge('holds', await readHoldLag(db, now), now, {
    fine: 'No expired hold waits for its release.',
    one: 'expired hold still takes up budget',
    several: 'expired holds still take up budget',
  })
}

export async function checkApprovals(db: Queryable, now: Instant): Promise<Check> {
  return judge('approvals', await readApprovalLag(db, now), now, {
    fine: 'No approval request is past its end.',
    one: 'approval request is past its end and still pending',
    several: 'approval requests are past their end and still pending',
  })
}

export async function checkSealing(db: Queryable, now: Instant): Promise<Check> {
  if (await hasStoppedLog(db)) {
    return fail(
      'audit log',
      'Sealing has stopped in an audit log, because its feed repeats a number.',
      'Follow docs/guide-audit.md#a-log-that-has-stopped.',
    )
  }
  return judge('audit log', await readSealingLag(db), now, {
    fine: 'Every event is sealed into its audit log.',
    one: 'organization has events that are not sealed',
    several: 'organizations have events that are not sealed',
  })
}

export async function checkAnalytics(db: Queryable, now: Instant): Promise<Check> {
  return judge('analytics', await readAnalyticsLag(db), now, {
    fine: 'The spend totals have every event.',
    one: 'organization has events that its spend totals lack',
    several: 'organizations have events that their spend totals lack',
  })
}

export async function checkWebhookQueue(db: Queryable, now: Instant): Promise<Check> {
  return judge('webhook queue', await readWebhookLag(db, now), now, {
    fine: 'No webhook delivery is due.',
    one: 'webhook delivery is due',
    several: 'webhook deliveries are due',
  })
}

interface Words {
  readonly fine: string
  /** After the number 1. */
  readonly one: string
  /** After a larger number. */
  readonly several: string
}

function judge(name: CheckName, { count, oldest }: Lag, now: Instant, words: Words): Check {
  if (count === 0 || oldest === null) return ok(name, words.fine)
  const lateMs = Math.max(0, now - oldest)
  const number = count >= COUNT_MAX ? `${COUNT_MAX} or more` : String(count)
  const text = `${number} ${count === 1 ? words.one : words.several}; the oldest has waited for ${toDuration(lateMs)}.`
  return lateMs > LATE_MS ? warn(name, text, NO_WORKER) : ok(name, text)
}

function toDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3_600)} h`
}

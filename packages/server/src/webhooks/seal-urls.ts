import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { receiverOf } from '../core/change.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'
import { newId } from '../storage/new-id.ts'
import { lockOrganization } from '../storage/organizations.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import {
  endUrlSealing,
  listUnsealedAttempts,
  listUrlSealings,
  lockUrlSealing,
  nameUrls,
  noteUrlsSealed,
  type UnsealedAttempt,
} from '../storage/webhooks/url-sealings.ts'
import { insertUrl, listUrls, sealWebhookUrl } from '../storage/webhooks/urls.ts'

/** Only a failed round leaves work for the next one. */
const EVERY_MS = 60_000
const REST_MIN_MS = 10
const REST_MAX_MS = 1_000
const ORGANIZATIONS_PER_ROUND = 20
/** Small batches, so that no row is locked for long. */
const BATCH = 500
const BATCHES_PER_TURN = 20
/** An organization with more URLs than this gets duplicate copies of the oldest ones. */
const COPIES_MAX = 1_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

interface SealingParts {
  readonly db: Database
  readonly sealer: Sealer
  readonly clock: DatabaseClock
  readonly log: Log
}

/**
 * Seals the webhook URLs that were stored before URLs were sealed: those of organizations, and
 * those of attempts, which then share one copy per URL. It works in small batches after startup,
 * rests as long as it worked, and may stop between any two batches.
 */
export function startUrlSealing(parts: SealingParts): Loop {
  const { db, log } = parts
  let after = FIRST_ID

  async function run(isStopping: () => boolean): Promise<void> {
    const page = await listUrlSealings(db, after, ORGANIZATIONS_PER_ROUND)
    for (const organizationId of page) {
      if (isStopping()) return
      after = organizationId
      await takeTurn(parts, organizationId, isStopping).catch((err: unknown) => {
        // The other organizations get their turn; this one is retried later.
        logEvent(log, 'webhooks.seal_failed', { err, organizationId })
      })
    }
    const isRound = page.length < ORGANIZATIONS_PER_ROUND
    if (isRound) after = FIRST_ID
    if (page.length > 0 && !isRound) loop.wake()
  }

  const loop = startLoop({
    run,
    everyMs: EVERY_MS,
    restMs: (tookMs) => Math.min(REST_MAX_MS, Math.max(REST_MIN_MS, tookMs)),
    failed: (err) => logEvent(log, 'webhooks.seal_scan_failed', { err }),
  })
  loop.wake()
  return loop
}

async function takeTurn(
  { db, sealer, clock }: SealingParts,
  organizationId: string,
  isStopping: () => boolean,
): Promise<void> {
  await repeatedTransaction(db, organizationId, async (tx) => {
    await lockOrganization(tx, organizationId)
    await sealWebhookUrl(tx, sealer, organizationId, await clock(tx))
  })
  for (let batch = 0; batch < BATCHES_PER_TURN && !isStopping(); batch++) {
    const isDone = await repeatedTransaction(db, organizationId, async (tx) =>
      sealBatch(tx, sealer, organizationId, await clock(tx)),
    )
    if (isDone) return
  }
}

/** Returns whether nothing is left to do for this organization. */
async function sealBatch(
  tx: Tx,
  sealer: Sealer,
  organizationId: string,
  at: number,
): Promise<boolean> {
  const after = await lockUrlSealing(tx, organizationId)
  if (after === undefined) return true
  const attempts = await listUnsealedAttempts(tx, organizationId, after, BATCH)
  const whole = attempts.filter(({ url }) => receiverOf(url) !== url)
  if (whole.length > 0) await nameCopies(tx, sealer, organizationId, whole, at)
  const last = attempts.at(-1)
  const isDone = last === undefined || attempts.length < BATCH
  tx.send(isDone ? endUrlSealing(organizationId) : noteUrlsSealed(organizationId, last.id))
  return isDone
}

async function nameCopies(
  tx: Tx,
  sealer: Sealer,
  organizationId: string,
  attempts: readonly UnsealedAttempt[],
  at: number,
): Promise<void> {
  const copies = await listUrls(tx, sealer, organizationId, COPIES_MAX)
  for (const url of new Set(attempts.map((attempt) => attempt.url))) {
    if (copies.has(url)) continue
    const id = newId(at)
    copies.set(url, id)
    tx.send(insertUrl(sealer, organizationId, { id, url }, at))
  }
  const named = attempts.map(({ id, url }) => ({
    id,
    receiver: receiverOf(url),
    urlId: copies.get(url) ?? '',
  }))
  tx.send(nameUrls(organizationId, named))
}

import type { Instant } from '../../core/time/instant.ts'
import { findStoreState } from '../../storage/backup/store-state.ts'
import { readClock } from '../../storage/engine/clock.ts'
import type { Database, Queryable } from '../../storage/engine/database.ts'
import type { Config } from '../config.ts'
import { type Check, type CheckName, fail, messageOf } from './check.ts'
import { checkBackups, checkClock, checkEngine, checkMigrations } from './engine.ts'
import { checkMasterKey } from './master-key.ts'
import { checkMail, checkWebhooks } from './receivers.ts'
import { checkStore } from './store.ts'
import {
  checkAnalytics,
  checkApprovals,
  checkHolds,
  checkPausedEndpoints,
  checkSealing,
  checkWebhookQueue,
  type WorkParts,
} from './work.ts'

type Examine = (db: Queryable, now: Instant) => Promise<Check>

/** The checks that read the database. */
export async function examineDatabase(db: Database, config: Config): Promise<Check[]> {
  const { engine } = db
  const engineChecks: readonly (readonly [CheckName, Examine])[] = [
    ['engine', (tx) => checkEngine(tx, engine)],
    ['clock', (tx) => checkClock(tx)],
    ['migrations', (tx) => checkMigrations(tx)],
  ]
  const first = await runChecks(db, engineChecks)
  // Tables of other versions may lack columns, so the other checks would only repeat the mistake.
  if (first.some(({ name, status }) => name === 'migrations' && status !== 'ok')) return first
  const found = await findStoreState(db)
  const work =
    (check: (parts: WorkParts) => Promise<Check>): Examine =>
    (tx, now) =>
      check({ db: tx, now, state: found?.state })
  const rest = await runChecks(db, [
    ['holds', work(checkHolds)],
    ['approvals', work(checkApprovals)],
    ['audit log', work(checkSealing)],
    ['analytics', work(checkAnalytics)],
    ['webhook queue', work(checkWebhookQueue)],
    ['paused queue', work(checkPausedEndpoints)],
    ['backups', (tx, now) => checkBackups(tx, engine, now)],
  ])
  // The rest takes long. In a transaction they would hold the only connection of the embedded
  // engine, and decisions would wait.
  const masterKey = await checkMasterKey(db, config).catch(failedAs('master key'))
  const webhooks = await checkWebhooks(db, config).catch(failedAs('webhooks'))
  const mail = await checkMail(config)
  const paths = await examinePaths(db, config)
  return [...first, masterKey, checkStore(found), ...rest, webhooks, mail, ...paths]
}

async function examinePaths(db: Database, { paths }: Config): Promise<Check[]> {
  const found: Check[] = []
  for (const { name, examine } of paths) {
    const check = await examine(db)
      .then((finding) => finding && { name, ...finding })
      .catch(failedAs(name))
    if (check !== undefined) found.push(check)
  }
  return found
}

/** Runs each check in its own transaction, which cannot write. One that fails affects no other. */
async function runChecks(
  db: Database,
  checks: readonly (readonly [CheckName, Examine])[],
): Promise<Check[]> {
  const found: Check[] = []
  for (const [name, examine] of checks) {
    const check = await db
      .transaction(async (tx) => {
        tx.send({ text: 'set transaction read only' })
        return examine(tx, await readClock(tx))
      })
      .catch(failedAs(name))
    found.push(check)
  }
  return found
}

function failedAs(name: CheckName): (error: unknown) => Check {
  return (error) =>
    fail(name, `The check failed: ${messageOf(error)}`, 'Read the log of the database.')
}

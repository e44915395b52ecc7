import { startAnalytics } from '../analytics/analytics.ts'
import type { LogKeys } from '../audit/log-keys.ts'
import { startLogSealer } from '../audit/log-sealer.ts'
import type { Lifecycle } from '../base/lifecycle.ts'
import type { Log } from '../base/log.ts'
import type { Clock } from '../storage/engine/clock.ts'
import type { Remover } from '../storage/engine/database.ts'
import { startHousekeeping } from '../upkeep/housekeeping.ts'
import { startRetention } from '../upkeep/retention.ts'
import { startUrlSealing } from '../webhooks/seal-urls.ts'
import type { Storage } from './open-storage.ts'

interface UpkeepParts {
  readonly clock: Clock
  readonly logKeys: LogKeys
  readonly removers: readonly Remover[]
}

/** Starts the workers that no request needs. Returns those that the demo runs by its own clock. */
export function startUpkeep(
  { add }: Lifecycle,
  { db, sealer }: Storage,
  { clock, removers, logKeys }: UpkeepParts,
  log: Log,
) {
  const clocked = { db, clock: clock.read, log }
  const housekeeping = add(startHousekeeping(db, clock.read, log, removers))
  const logSealer = add(startLogSealer({ ...clocked, keys: logKeys }))
  add(startRetention(clocked))
  add(startUrlSealing({ ...clocked, sealer }))
  const analytics = add(startAnalytics(clocked))
  return { housekeeping, logSealer, analytics }
}

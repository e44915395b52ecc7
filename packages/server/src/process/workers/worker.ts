import { withLifecycle } from '../../base/lifecycle.ts'
import { createLog } from '../../base/log/create-log.ts'
import type { Config } from '../config.ts'
import { createMetering, METERING_OFF } from '../observation/metering.ts'
import { joinStorage } from '../open-storage.ts'
import { type Serving, serve } from '../server.ts'
import { isDrain, type ReadyMessage } from './messages.ts'
import { answerMetrics } from './worker-metrics.ts'

/**
 * A worker: serves requests until its primary asks it to drain. The primary has migrated the
 * database and created the first organization, and prints the lines of the start. Node ends a worker
 * whose primary is gone.
 */
export async function runWorker(config: Config): Promise<void> {
  let serving: Serving | undefined
  let mustEnd = false
  const drain = (): void => {
    if (serving && !mustEnd) void end(serving)
    mustEnd = true
  }
  process.on('message', (message) => {
    if (isDrain(message)) drain()
  })
  const started = await startWorker(config)
  // A terminal and some supervisors signal every process, and the primary asks as well.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, drain)
  if (mustEnd) return end(started)
  serving = started
  const { url, publicUrl } = started
  process.send?.({ kind: 'ready', url, publicUrl } satisfies ReadyMessage)
}

function startWorker(config: Config): Promise<Serving> {
  const metering = config.metrics ? createMetering() : METERING_OFF
  const { log, stop: stopLog } = createLog({ ...config.log, onEvent: metering.onLogEvent })
  return withLifecycle(async (lifecycle) => {
    lifecycle.onStop(stopLog)
    const storage = await joinStorage(config, log)
    lifecycle.onStop(() => storage.db.close())
    answerMetrics(metering.read)
    return serve(lifecycle, storage, { config, log, metering })
  })
}

/** The channel to the primary keeps the process alive, so it has to exit. */
async function end(serving: Serving): Promise<void> {
  await serving.drain().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
  process.exit()
}

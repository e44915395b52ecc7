import cluster, { type Worker } from 'node:cluster'
import { withLifecycle } from '../../base/lifecycle.ts'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { CONNECTIONS_OF_PROCESS } from '../../storage/engine/postgres.ts'
import { readPostgresState } from '../../storage/engine/postgres-state.ts'
import { countOrganizations } from '../../storage/organizations.ts'
import type { Config } from '../config.ts'
import { prepareInstallation } from '../prepare-installation.ts'
import type { Welcome } from '../welcome.ts'
import { type DrainMessage, isReady, type ReadyMessage } from './messages.ts'
import { createPauses } from './pauses.ts'

/** The primary, which accepts connections and hands them to its workers. It serves no request. */
export interface Primary extends Omit<Welcome, 'isDevelopment'> {
  /** Drains all workers, and resolves once they have ended. */
  drain(): Promise<void>
}

export function isWorker(): boolean {
  return cluster.isWorker
}

/** Throws a readable error if the settings name no PostgreSQL. */
export function requirePostgres({ storage }: Pick<Config, 'storage'>): void {
  if (storage.databaseUrl !== undefined) return
  throw new Error(
    'Workers need PostgreSQL: the embedded database runs inside one process, and no second process can open it. Set DATABASE_URL, or start without --workers.',
  )
}

/**
 * Migrates the database and creates the first organization, once for all workers. Then starts the
 * workers, and replaces those that end. Rejects if one of the first workers cannot start.
 */
export async function startWorkers(config: Config, count: number, log: Log): Promise<Primary> {
  const facts = await prepareForWorkers(config, count, log)
  let isStopping = false
  const live = new Map<Worker, Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  const pauses = createPauses()

  /** Resolves once the worker serves. Rejects if it ends before that. */
  function start(): Promise<ReadyMessage> {
    const worker = cluster.fork()
    const since = performance.now()
    const ended = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
      worker.once('error', (error) => resolve(error.message))
    })
    const ready = new Promise<ReadyMessage>((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (isReady(message)) resolve(message)
      })
      void ended.then((reason) => reject(new Error(`A worker did not start (${reason}).`)))
    })
    live.set(
      worker,
      ended.then((reason) => {
        live.delete(worker)
        if (hasStarted && !isStopping) replace(worker, reason, performance.now() - since)
      }),
    )
    return ready
  }

  function replace(worker: Worker, reason: string, servedMs: number): void {
    const pauseMs = pauses.next(servedMs)
    const seconds = pauseMs / 1_000
    logEvent(log, 'process.worker_ended', { worker: String(worker.process.pid), reason, seconds })
    const timer = setTimeout(() => {
      timers.delete(timer)
      start().then(
        () => logEvent(log, 'process.worker_replaced', { worker: newestPid(live) }),
        // Its end was logged, and the next one follows after a longer pause.
        () => {},
      )
    }, pauseMs)
    timers.add(timer)
  }

  async function drain(): Promise<void> {
    isStopping = true
    for (const timer of timers) clearTimeout(timer)
    const ends = [...live].map(([worker, ended]) => {
      if (worker.isConnected()) worker.send({ kind: 'drain' } satisfies DrainMessage)
      return ended
    })
    await Promise.all(ends)
  }

  let hasStarted = false
  try {
    const [first] = await Promise.all(Array.from({ length: count }, start))
    if (first === undefined) throw new Error('No worker was started.')
    hasStarted = true
    const { url, publicUrl } = first
    return { ...facts, url, publicUrl, engine: 'postgres', drain }
  } catch (error) {
    // The worker has printed why it cannot start.
    await drain()
    throw error
  }
}

function newestPid(live: ReadonlyMap<Worker, unknown>): string {
  return String([...live.keys()].at(-1)?.process.pid)
}

/** The database is closed again: only workers use it. */
async function prepareForWorkers(config: Config, count: number, log: Log) {
  return withLifecycle(async (lifecycle) => {
    const { storage, ...files } = await prepareInstallation(lifecycle, config, log)
    const { db } = storage
    requireConnections(count, (await readPostgresState(db)).connectionsMax)
    const hasOrganization = (await countOrganizations(db)) > 0
    await lifecycle.stop()
    return { ...files, hasOrganization }
  })
}

/** Under load a worker that gets no connection would refuse requests, hours after the start. */
function requireConnections(count: number, connectionsMax: number): void {
  const needed = count * CONNECTIONS_OF_PROCESS
  if (needed <= connectionsMax) return
  const most = Math.floor(connectionsMax / CONNECTIONS_OF_PROCESS)
  const fewer = most > 0 ? `start at most ${most} workers` : 'start without --workers'
  throw new Error(
    `${count} workers open up to ${needed} connections, and PostgreSQL allows ${connectionsMax}. Raise max_connections, or ${fewer}.`,
  )
}

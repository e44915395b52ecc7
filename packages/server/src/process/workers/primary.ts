import cluster from 'node:cluster'
import { countOf } from '../../base/count-of.ts'
import { withLifecycle } from '../../base/lifecycle.ts'
import type { Log } from '../../base/log.ts'
import { CONNECTIONS_OF_PROCESS } from '../../storage/engine/postgres.ts'
import { readPostgresState } from '../../storage/engine/postgres-state.ts'
import { countOrganizations } from '../../storage/organizations.ts'
import type { Config } from '../config.ts'
import { prepareInstallation } from '../prepare-installation.ts'
import { startMetrics } from '../start-metrics.ts'
import type { Welcome } from '../welcome.ts'
import { createWorkers } from './live-workers.ts'

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
 * workers. Rejects if one of the first workers cannot start; it has printed why.
 */
export function startWorkers(config: Config, count: number, log: Log): Promise<Primary> {
  return withLifecycle(async (lifecycle) => {
    const facts = await prepareForWorkers(config, count, log)
    const workers = lifecycle.add(createWorkers(log))
    const { url, publicUrl } = await workers.start(count)
    await startMetrics(lifecycle, config, workers, log)
    return { ...facts, url, publicUrl, engine: 'postgres', drain: lifecycle.stop }
  })
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
  const fewer = most > 0 ? `start at most ${countOf(most, 'worker')}` : 'start without --workers'
  throw new Error(
    `${countOf(count, 'worker')} can open up to ${needed} connections, and PostgreSQL allows ${connectionsMax}. Raise max_connections, or ${fewer}.`,
  )
}

import { randomBytes } from 'node:crypto'
import { distributeTables } from '../../src/storage/distributed/distribute.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { migrate } from '../../src/storage/engine/migrate.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createTestAppOn, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { type CitusCluster, createOnNodes, startCitusCluster } from '../support/citus-cluster.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { silentLog } from '../support/silent-log.ts'
import { temporaryRoot } from '../support/temporary-root.ts'
import { startWorkerLink, type WorkerLink } from './worker-link.ts'

/** An organization that spends, and whose webhooks are received. */
export interface Spender {
  readonly owner: Owner
  readonly organizationId: string
  readonly agentId: string
  readonly mandateId: string
  /** The port of its worker. */
  readonly port: number
}

/** A spend that got an answer: its key, and what was answered. */
export interface Told {
  readonly organizationId: string
  readonly key: string
  readonly transactionId: string
  readonly decision: string
}

/** A gateway on a cluster of its own, with organizations on both workers. */
export interface FaultStage {
  readonly cluster: CitusCluster
  /** Between the coordinator and each worker, in the order of the workers; empty without links. */
  readonly links: readonly WorkerLink[]
  /** Straight to the database, without the gateway's pool. */
  readonly outside: Database
  readonly url: string
  readonly app: TestApp
  readonly receiver: Receiver
  /** Every spend that was answered so far. */
  readonly told: Told[]
  /** At least `each` organizations on each worker. */
  spenders(each: number, budgetTotal: number): Promise<readonly Spender[]>
  stop(): Promise<void>
}

interface StageSettings {
  /** Those of all servers. */
  readonly settings?: readonly string[]
  /** Whether the coordinator reaches the workers through links. Their ports are then those of workers. */
  readonly hasLinks?: boolean
}

export async function openFaultStage({
  settings = [],
  hasLinks = false,
}: StageSettings = {}): Promise<FaultStage> {
  const binFolder = process.env['PURSER_CITUS']
  if (binFolder === undefined) throw new Error('Set PURSER_CITUS.')
  const cluster = await startCitusCluster(binFolder, temporaryRoot(), { settings })
  const links = hasLinks
    ? await Promise.all(cluster.workers.map((worker) => startWorkerLink(worker.url)))
    : []
  const workers = hasLinks ? links : cluster.workers
  const nodes = { coordinator: cluster.coordinator, workers }
  const url = await createOnNodes(nodes, `faults_${randomBytes(4).toString('hex')}`)
  const before = await openPostgres({ url }, silentLog)
  await migrate(before)
  await distributeTables(before, undefined, () => {})
  await before.close()
  const db = await openPostgres({ url }, silentLog)
  const outside = await openPostgres({ url, connectionsMax: 4 }, silentLog)
  const database = { db, dataDir: '', url, drop: () => db.close() }
  const app = await createTestAppOn(database, db)
  const receiver = await startReceiver()

  async function spenders(each: number, budgetTotal: number): Promise<readonly Spender[]> {
    const found: Spender[] = []
    const ports = workers.map((worker) => Number(new URL(worker.url).port))
    const isEnough = (): boolean =>
      ports.every((port) => found.filter((one) => one.port === port).length >= each)
    while (!isEnough()) {
      const owner = await app.organization(`Org ${found.length}`)
      await owner.patch('/organization', { webhookUrl: receiver.url })
      const { agentId, id: mandateId } = await anActiveMandate(owner, { budgetTotal })
      const { organizationId } = owner
      const port = await portOf(outside, organizationId)
      found.push({ owner, organizationId, agentId, mandateId, port })
    }
    return found
  }

  return {
    cluster,
    links,
    outside,
    url,
    app,
    receiver,
    told: [],
    spenders,
    async stop() {
      for (const { resume } of cluster.workers) resume()
      await app.stop()
      await outside.close()
      await receiver.close()
      for (const link of links) await link.close()
      await cluster.stop()
    },
  }
}

/** The port of the worker that has the organization. */
export async function portOf(db: Database, organizationId: string): Promise<number> {
  const [row] = await db.query<{ port: number }>({
    text: `
      select n.nodeport as port from pg_dist_placement p
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where p.shardid = get_shard_id_for_distribution_column('organizations', $1::uuid)`,
    values: [organizationId],
  })
  if (!row) throw new Error('The organization has no node.')
  return row.port
}

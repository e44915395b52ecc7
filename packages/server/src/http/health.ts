import { VERSION } from '../base/version.ts'
import { hasStoppedLog } from '../storage/audit/stops.ts'
import type { Database } from '../storage/engine/database.ts'
import { readMigrations } from '../storage/engine/migrate.ts'
import type { App } from './app.ts'

/** HEAD works as well, because some load balancers use it. */
export const HIDDEN = { schema: { hide: true }, exposeHeadRoute: true }

/**
 * `/healthz` is the liveness check: the process answers. `/readyz` is the readiness check: the
 * process can decide, so send it traffic. It also says whether all audit logs are sealed, which
 * decisions do not wait for.
 */
export function healthRoutes(
  app: App,
  { db, store }: { readonly db: Database; store(): string },
): void {
  let hasDied = false
  void db.died?.then(() => {
    hasDied = true
  })
  app.get('/healthz', HIDDEN, async (_request, reply) =>
    reply.code(hasDied ? 503 : 200).send({ status: hasDied ? 'failed' : 'ok' }),
  )

  app.get('/readyz', HIDDEN, async (_request, reply) => {
    const database = await db.isReady()
    // This changes first, and the listener stays open for a while: load balancers need time to
    // notice.
    const stopping = app.leaving.isLeaving()
    // The process can still read, but a load balancer should prefer a gateway that can decide.
    const storageFull = db.isFull?.() ?? false
    const ready = database && !stopping && !storageFull
    const sealing = database && !(await hasStoppedLog(db).catch(() => true))
    const status = ready ? 'ready' : 'not_ready'
    // A closed store is no reason for 503: all gateways have the same store, and without traffic no
    // caller would learn why, and no card would be declined in the form of its issuer.
    return reply
      .code(ready ? 200 : 503)
      .send({ status, database, stopping, sealing, storageFull, store: store() })
  })
}

interface VersionParts {
  readonly db: Pick<Database, 'engine'>
  /** The commit that the program was built from, if the operator has set it. */
  readonly commit?: string | undefined
}

/** `/version` says which program answers. It contains nothing about data or settings. */
export function versionRoutes(app: App, { db, commit }: VersionParts): void {
  let migrations: Promise<number> | undefined
  app.get('/version', HIDDEN, async () => {
    // The files of a running program do not change, so the first request counts them.
    migrations ??= readMigrations().then(({ length }) => length)
    return {
      name: 'purser',
      version: VERSION,
      commit: commit ?? null,
      node: process.versions.node,
      engine: db.engine,
      migrations: await migrations,
    }
  })
}

import { VERSION } from '../base/version.ts'
import type { Database } from '../storage/engine/database.ts'
import { readMigrations } from '../storage/engine/migrate.ts'
import type { App } from './app.ts'
import { HIDDEN } from './health.ts'

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

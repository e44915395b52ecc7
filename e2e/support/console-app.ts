import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createTestApp, type Owner, type TestApp } from '../../packages/server/test/support/app.ts'
import type { Engine } from '../../packages/server/test/support/database.ts'
import { aMember, type Person } from '../../packages/server/test/support/people.ts'
import { type OpenOptions, openPage } from './browser.ts'

const BUILT = join(import.meta.dirname, '../../packages/server/console')

type Role = 'owner' | 'admin' | 'approver' | 'viewer'

/** A gateway that serves the console, on a database of its own. */
export interface ConsoleApp extends TestApp {
  readonly origin: string
  /** Opens a page of the console as this member, or as a stranger. */
  open(path: string, as?: Person, options?: OpenOptions): Promise<Page>
  /** A member of the organization, signed in. */
  member(owner: Owner, role?: Role): Promise<Person>
}

export async function startConsole(
  engine?: Engine,
  change: Parameters<typeof createTestApp>[1] = {},
): Promise<ConsoleApp> {
  const app = await createTestApp(engine, { consoleFolder: BUILT, ...change })
  const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  // Passkeys belong to a host name, and a session to one host.
  const origin = address.replace('127.0.0.1', 'localhost')
  return {
    ...app,
    origin,
    async open(path, as, options = {}) {
      const { origin: at = origin } = options
      const page = await openPage(at, { ...options, ...(as && { cookie: as.cookie }) })
      await page.goto(at + path)
      return page
    },
    member: (owner, role = 'owner') => aMember(app, owner, { role }),
  }
}

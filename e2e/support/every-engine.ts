import { describe } from 'vitest'
import { describeOnEveryEngine, type Engine } from '../../packages/server/test/support/database.ts'
import { executablePath } from './browser.ts'

/** The same tests in a browser, on the embedded engine and on PostgreSQL. */
export function describePagesOnEveryEngine(name: string, define: (engine: Engine) => void): void {
  describe.skipIf(executablePath === undefined)('in a browser', () => {
    describeOnEveryEngine(name, define)
  })
}

/** Tests in a browser, on the usual engine. Without a browser they are skipped. */
export function describePages(name: string, define: () => void): void {
  describe.skipIf(executablePath === undefined)(name, define)
}

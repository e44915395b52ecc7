import { afterAll } from 'vitest'
import { createTestApp, type TestApp } from './app.ts'

/**
 * Creates one app for all tests of a file, when the first test asks for it. An app with its database
 * costs about 90 ms of CPU, so tests that differ only in their organization share one.
 */
export function shareApp(): () => Promise<TestApp> {
  let app: Promise<TestApp> | undefined
  afterAll(async () => (await app)?.stop())
  return () => {
    app ??= createTestApp()
    return app
  }
}

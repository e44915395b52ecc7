import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERSION } from '../../src/base/version.ts'
import { readConfig } from '../../src/process/config.ts'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp(usualEngine(), { commit: '0123456789abcdef' })
})
afterAll(() => app.stop())

test('GET /version says which program answers, and nothing else', async () => {
  const { statusCode, body } = await app.app.inject('/version')
  expect(statusCode).toBe(200)
  const { length } = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql'))
  expect(JSON.parse(body)).toEqual({
    name: 'purser',
    version: VERSION,
    commit: '0123456789abcdef',
    node: process.versions.node,
    engine: usualEngine(),
    migrations: length,
  })
})

test('PURSER_COMMIT is a commit or is refused', () => {
  expect(readConfig({ PURSER_COMMIT: 'a9aa38e' }).commit).toBe('a9aa38e')
  expect(readConfig({}).commit).toBeUndefined()
  expect(() => readConfig({ PURSER_COMMIT: 'main' })).toThrow(/PURSER_COMMIT must be/)
})

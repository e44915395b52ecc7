import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenPath, type PaymentPath, withSettings } from '../../src/paths/path.ts'
import { buildApp } from '../../src/process/server.ts'
import type { Remover } from '../../src/storage/engine/database.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { TEST_CONFIG } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { pathsOn } from '../support/paths.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const ACP = pathsOn([]).filter(({ name }) => name === 'acp')

/** The app with these paths, and ACP, because vendors have a field of it. */
function build(...opened: OpenPath[]) {
  const storage = { db: database.db, sealer: createSealer(Buffer.alloc(32, 7)) }
  const paths = opened.map((path): PaymentPath => ({ name: 'card', open: () => path }))
  const configured = paths.map((path) => withSettings(path, undefined))
  const config = { ...TEST_CONFIG, paths: [...ACP, ...configured] }
  return buildApp(storage, config, pino({ level: 'silent' }))
}

/** A worker that writes down when it begins and ends. */
function aWorker(name: string, told: string[], isListening = () => false) {
  return () => {
    told.push(`${name} begins`)
    return {
      async stop() {
        told.push(`${name} ends${isListening() ? ' before the last request' : ''}`)
      },
    }
  }
}

describe('the workers of paths', () => {
  test('begin in the order of the paths, and end in the reverse, after the last request', async () => {
    const told: string[] = []
    let isListening = () => false
    const worker = (name: string) => aWorker(name, told, () => isListening())
    const { app, stop } = await build(
      { workers: [worker('a'), worker('b')] },
      { workers: [worker('c')] },
    )
    await app.listen({ port: 0 })
    isListening = () => app.server.listening
    expect(told).toEqual(['a begins', 'b begins', 'c begins'])
    expect(isListening()).toBe(true)
    await stop()
    expect(told.slice(3)).toEqual(['c ends', 'b ends', 'a ends'])
  })

  test('that began before one that cannot begin are ended', async () => {
    const told: string[] = []
    const failing = () => {
      throw new Error('There is no such till.')
    }
    const built = build({ workers: [aWorker('a', told), failing, aWorker('b', told)] })
    await expect(built).rejects.toThrow('There is no such till.')
    expect(told).toEqual(['a begins', 'a ends'])
  })
})

test('what paths have removed is handed to housekeeping', async () => {
  const removers = Array.from({ length: 3 }, (): Remover => async () => 0)
  const built = await build({ removers: removers.slice(0, 2) }, {}, { removers: removers.slice(2) })
  expect(built.removers).toEqual(removers)
  await built.stop()
})

test('a path may have nothing but its name', async () => {
  const built = await build({})
  expect((await built.app.inject({ url: '/healthz' })).statusCode).toBe(200)
  await built.stop()
})

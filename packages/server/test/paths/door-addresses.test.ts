import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { type Door, registerDoors } from '../../src/http/door.ts'

const CALLER = { organizationId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11', kind: 'test' } as const

const doorAt = (prefix: string, url = '/events'): Door => ({
  prefix,
  body: 'raw',
  identify: () => undefined,
  toAnswer: ({ code, status }) => ({ status, body: code }),
  routes(app) {
    app.post(url, async () => 'taken')
  },
})

test.each([
  ['/api/v1', '/events'],
  ['/api/v1/ingest', '/events'],
  ['/api', '/v1/events'],
  ['/api', '/:version/events'],
  ['/api', '/*'],
])('a door is refused at %s%s', async (prefix, url) => {
  const app = createApp(pino({ level: 'silent' }))
  const doors = [doorAt(prefix, url)]
  await expect(registerDoors(app, [{ doors }])).rejects.toThrow('outside of /api/v1')
})

test.each(['', '/', '/:token', 'ingest'])('a door is refused at "%s"', async (prefix) => {
  const app = createApp(pino({ level: 'silent' }))
  const doors = [doorAt(prefix)]
  await expect(registerDoors(app, [{ doors }])).rejects.toThrow('begin with a fixed part')
})

test('a door beside the API takes nothing from it, and the longer fixed part answers', async () => {
  const app = createApp(pino({ level: 'silent' }))
  const inner = {
    ...doorAt('/api/hooks/:token'),
    toAnswer: () => ({ status: 404, body: 'inner' }),
  }
  await registerDoors(app, [{ doors: [inner, doorAt('/api')] }])
  const bodyOf = async (url: string) => (await app.inject({ method: 'POST', url })).body
  expect(await bodyOf('/api/nothing')).toBe('route_not_found')
  expect(await bodyOf('/api/hooks')).toBe('inner')
  expect(await bodyOf('/api/v1/nothing')).toContain('urn:purser:problem:route_not_found')
})

test('a door takes an encoded parameter, and no encoded name of its own', async () => {
  const app = createApp(pino({ level: 'silent' }))
  const door = { ...doorAt('/ingest/:token'), identify: () => CALLER }
  await registerDoors(app, [{ doors: [door] }])
  const statusOf = async (url: string) => (await app.inject({ method: 'POST', url })).statusCode
  expect(await statusOf('/ingest/a%2Fb/events')).toBe(200)
  expect(await statusOf('/ingest/a%2Fb/%65vents')).toBe(404)
  expect(await statusOf('/%69ngest/a/events')).toBe(404)
})

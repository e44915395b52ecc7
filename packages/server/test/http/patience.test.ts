import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/http/app.ts'
import { headOf, openConnection, type RawConnection } from '../support/raw-connection.ts'
import { waitUntil } from '../support/wait-until.ts'

const PATIENCE = { headMs: 100, requestMs: 300, checkMs: 50 }

let app: App
let url: string
let client: RawConnection

beforeAll(async () => {
  app = await createApp(pino({ level: 'silent' }), PATIENCE)
  app.post('/', async () => ({ status: 'taken' }))
  url = await app.listen({ port: 0 })
})
afterAll(() => app.close())
afterEach(() => client.end())

describe('a request ends with 408 and its connection', () => {
  test.each([
    ['if its head does not come', 'POST / HTTP/1.1\r\nhost: x\r\n'],
    [
      'if its body does not come',
      headOf('POST', '/', 'content-type: application/json', 'content-length: 9'),
    ],
    [
      'if its body does not end',
      `${headOf('POST', '/', 'content-type: application/json', 'transfer-encoding: chunked')}1\r\n{\r\n`,
    ],
  ])('%s', async (_, text) => {
    client = await openConnection(url)
    client.write(text)
    await waitUntil(() => client.received.isOver)
    expect(client.statuses()).toEqual(['408'])
  })

  test('not before', async () => {
    client = await openConnection(url)
    client.write(headOf('POST', '/', 'content-type: application/json', 'content-length: 2'))
    await waitUntil(() => app.server.listening)
    client.write('{}')
    await waitUntil(() => client.statuses().length === 1)
    expect(client.statuses()).toEqual(['200'])
  })
})

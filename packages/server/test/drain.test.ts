import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../src/http/app.ts'
import { createProgramPlace, killPrograms, startProgram } from './support/program.ts'
import { openConnection } from './support/raw-connection.ts'
import { waitUntil } from './support/wait-until.ts'

// drain.deep.test.ts has the slower tests.

describe('a gateway that receives a stop signal', () => {
  let place: Awaited<ReturnType<typeof createProgramPlace>>
  beforeEach(async () => {
    place = await createProgramPlace()
  })
  afterEach(async () => {
    await killPrograms()
    await place.remove()
  })

  test('stops when the drain time is over, and logs how many requests it answered', async () => {
    const gateway = await startProgram({ ...place.env, PURSER_DRAIN_SECONDS: '1' })
    await gateway.url()
    gateway.signal('SIGTERM')
    expect(await gateway.exited()).toEqual({ code: 0, signal: null })
    expect(gateway.lines.join('\n')).toMatch(/"event":"process\.draining","seconds":1,/)
    expect(gateway.lines.join('\n')).toMatch(/"answered":0,.*Stopped/)
  })
})

test('a draining app counts the requests that it answers, and closes their connections', async () => {
  const app = createApp(pino({ level: 'silent' }))
  app.get('/here', { schema: { hide: true } }, async () => 'yes')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const connectionOf = async (path: string) =>
    (await fetch(`${url}${path}`)).headers.get('connection')
  expect(await connectionOf('/here')).toBe('keep-alive')
  app.leaving.begin()
  expect(await connectionOf('/here')).toBe('close')
  expect(await connectionOf('/nowhere')).toBe('close')
  await waitUntil(() => app.leaving.answeredCount() === 2)
  await app.close()
})

describe('an app that closes', () => {
  /** Counts each request when it is executed. */
  async function anApp() {
    const app = createApp(pino({ level: 'silent' }))
    let carriedOut = 0
    app.get('/here', { schema: { hide: true } }, async () => {
      carriedOut += 1
      return 'yes'
    })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    return { app, url, carriedOut: () => carriedOut }
  }
  const REQUEST = 'GET /here HTTP/1.1\r\nhost: purser\r\n\r\n'
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

  test('answers requests that arrive while it closes, or closes the connection without a reset', async () => {
    const { app, url, carriedOut } = await anApp()
    const clients = await Promise.all(Array.from({ length: 60 }, () => openConnection(url)))
    for (const client of clients) client.write(REQUEST)
    await waitUntil(() => clients.every((client) => client.statuses().length === 1))
    // One request per turn of the event loop, from before the close until after it.
    const [first, ...others] = clients
    first?.write(REQUEST)
    const closed = app.close()
    for (const client of others) {
      client.write(REQUEST)
      await nextTurn()
    }
    await closed
    await waitUntil(() => clients.every(({ received }) => received.isOver))
    expect(clients.filter(({ received }) => received.isReset)).toEqual([])
    const answers = clients.flatMap((client) => client.statuses())
    expect(new Set(answers)).toEqual(new Set(['200']))
    expect(answers).toHaveLength(carriedOut())
    expect(first?.statuses()).toHaveLength(2)
  })

  test('does not wait for an idle connection', async () => {
    const { app, url } = await anApp()
    const silent = await openConnection(url)
    silent.socket.pause()
    await app.close()
    silent.socket.resume()
    await waitUntil(() => silent.received.isOver)
    expect(silent.received).toMatchObject({ text: '', isReset: false })
  })
})

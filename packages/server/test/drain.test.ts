import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../src/http/app.ts'
import { createProgramPlace, killPrograms, startProgram } from './support/program.ts'
import { openConnection } from './support/raw-connection.ts'
import { waitUntil } from './support/wait-until.ts'

describe('a gateway that is asked to stop', () => {
  let place: Awaited<ReturnType<typeof createProgramPlace>>
  beforeEach(async () => {
    place = await createProgramPlace()
  })
  afterEach(async () => {
    await killPrograms()
    await place.remove()
  })

  test('says so at /readyz, still answers and closes each connection, until a second signal', async () => {
    const gateway = await startProgram({ ...place.env, PURSER_DRAIN_SECONDS: '900' })
    const url = await gateway.url()
    const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
    const open = await openConnection(url)
    gateway.signal('SIGTERM')
    await waitUntil(async () => (await statusOf('/readyz')) === 503)
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ stopping: true })
    expect(await statusOf('/healthz')).toBe(200)
    open.write('GET /api/v1/organization HTTP/1.1\r\nhost: purser\r\n\r\n')
    await waitUntil(() => open.received.isOver)
    expect(open.statuses()).toEqual(['401'])
    expect(open.received.text.toLowerCase()).toContain('\r\nconnection: close\r\n')

    // Right after the first, the same signal is taken for its echo.
    let isOver = false
    const exited = gateway.exited().finally(() => {
      isOver = true
    })
    await waitUntil(() => {
      if (!isOver) gateway.signal('SIGTERM')
      return isOver
    })
    expect(await exited).toEqual({ code: null, signal: 'SIGTERM' })
  })

  test('takes a signal that comes twice at once for one, as at a terminal under npm', async () => {
    const twice = async () => {
      const gateway = await startProgram({ ...place.env, PURSER_DRAIN_SECONDS: '1' })
      await gateway.url()
      const began = performance.now()
      gateway.signal('SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 20))
      gateway.signal('SIGINT')
      const tookMs = performance.now() - began
      return { tookMs, end: await gateway.exited() }
    }
    // On a busy machine the second may come later, and is a second one then.
    let last = await twice()
    while (last.tookMs > 250) last = await twice()
    expect(last.end).toEqual({ code: 0, signal: null })
  })

  test('ends at once at a second signal, also one of the other kind', async () => {
    const gateway = await startProgram({ ...place.env, PURSER_DRAIN_SECONDS: '900' })
    const url = await gateway.url()
    gateway.signal('SIGTERM')
    await waitUntil(async () => (await fetch(`${url}/readyz`)).status === 503)
    gateway.signal('SIGINT')
    expect(await gateway.exited()).toEqual({ code: null, signal: 'SIGINT' })
    expect(gateway.lines.join('\n').match(/process\.draining/g)).toHaveLength(1)
  })

  test('stops by itself when the time is over, and says how many it has answered', async () => {
    const gateway = await startProgram({ ...place.env, PURSER_DRAIN_SECONDS: '1' })
    await gateway.url()
    gateway.signal('SIGTERM')
    expect(await gateway.exited()).toEqual({ code: 0, signal: null })
    expect(gateway.lines.join('\n')).toMatch(/"event":"process\.draining","seconds":1,/)
    expect(gateway.lines.join('\n')).toMatch(/"answered":0,.*Stopped/)
  })
})

test('an app that leaves counts what it answers from then on, and closes those connections', async () => {
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
  /** Each request is counted when it is carried out. */
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

  test('answers what comes at its end, or ends the connection without a reset', async () => {
    const { app, url, carriedOut } = await anApp()
    const clients = await Promise.all(Array.from({ length: 60 }, () => openConnection(url)))
    for (const client of clients) client.write(REQUEST)
    await waitUntil(() => clients.every((client) => client.statuses().length === 1))
    // One in each turn of the event loop, from before the end until after it.
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

  test('does not wait for a connection on which nothing comes', async () => {
    const { app, url } = await anApp()
    const silent = await openConnection(url)
    silent.socket.pause()
    await app.close()
    silent.socket.resume()
    await waitUntil(() => silent.received.isOver)
    expect(silent.received).toMatchObject({ text: '', isReset: false })
  })
})

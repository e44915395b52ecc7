import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createProgramPlace, killPrograms, startProgram } from './support/program.ts'
import { openConnection } from './support/raw-connection.ts'
import { waitUntil } from './support/wait-until.ts'

describe('a gateway that receives a stop signal', () => {
  let place: Awaited<ReturnType<typeof createProgramPlace>>
  beforeEach(async () => {
    place = await createProgramPlace()
  })
  afterEach(async () => {
    await killPrograms()
    await place.remove()
  })

  test('fails /readyz, still answers, and closes each connection, until a second signal', async () => {
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

    // The same signal right after the first one counts as its echo.
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

  test('counts a signal that arrives twice at once as one, as npm sends it at a terminal', async () => {
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
    // On a busy machine the echo may arrive late and then counts as a second signal.
    let last = await twice()
    while (last.tookMs > 250) last = await twice()
    expect(last.end).toEqual({ code: 0, signal: null })
  })

  test('ends at once at a second signal, also of the other kind', async () => {
    const gateway = await startProgram({ ...place.env, PURSER_DRAIN_SECONDS: '900' })
    const url = await gateway.url()
    gateway.signal('SIGTERM')
    await waitUntil(async () => (await fetch(`${url}/readyz`)).status === 503)
    gateway.signal('SIGINT')
    expect(await gateway.exited()).toEqual({ code: null, signal: 'SIGINT' })
    expect(gateway.lines.join('\n').match(/process\.draining/g)).toHaveLength(1)
  })
})

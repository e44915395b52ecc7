import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  expressWebhook,
  fastifyWebhook,
  type WebhookEvent,
  type WebhookHandlerOptions,
  webhookHandler,
} from '@purser/sdk/webhooks'
import express from 'express'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { BODY, newSecret, signedHeaders } from './signed-request.ts'

const SECRET = newSecret()

let events: WebhookEvent[]
let errors: unknown[]
let options: WebhookHandlerOptions

beforeEach(() => {
  events = []
  errors = []
  options = {
    secret: SECRET,
    onEvent: (event) => events.push(event),
    onError: (error) => errors.push(error),
  }
})
afterEach(() => vi.restoreAllMocks())

type Send = (init: RequestInit) => Promise<Response>

/** Each way to serve a webhook, on the real package. The handlers get changed options in some tests. */
const SERVERS: Readonly<Record<string, (settings: WebhookHandlerOptions) => Promise<Send>>> = {
  'a Fetch-style server': async (settings) => {
    const handle = webhookHandler(settings)
    return (init) => handle(new Request('http://localhost/hook', init))
  },
  Express: async (settings) => {
    const app = express()
    app.all('/hook', expressWebhook(settings))
    return listen(createServer(app))
  },
  'Express with express.raw': async (settings) => {
    const app = express()
    app.all('/hook', express.raw({ type: '*/*', limit: 2_000_000 }), expressWebhook(settings))
    return listen(createServer(app))
  },
  'node:http': async (settings) => {
    const handle = expressWebhook(settings)
    return listen(createServer((request, response) => void handle(request, response)))
  },
  Fastify: async (settings) => {
    const app = Fastify()
    await app.register(fastifyWebhook, { ...settings, prefix: '/hook' })
    return listenWithFastify(app)
  },
}

async function listen(server: ReturnType<typeof createServer>): Promise<Send> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return (init) => fetch(`http://127.0.0.1:${port}/hook`, init)
}

async function listenWithFastify(app: ReturnType<typeof Fastify>): Promise<Send> {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return (init) => fetch(`${address}/hook`, init)
}

const post = (body = BODY, headers = signedHeaders(SECRET, body)): RequestInit => ({
  method: 'POST',
  body,
  headers,
})

describe.each(Object.entries(SERVERS))('the handler for %s', (name, serve) => {
  test('gives the event to onEvent, and answers 204 after it has resolved', async () => {
    const order: string[] = []
    const send = await serve({
      ...options,
      onEvent: async (event) => {
        await new Promise((resolve) => setImmediate(resolve))
        events.push(event)
        order.push('stored')
      },
    })
    const response = await send(post())
    order.push('answered')
    expect(response.status).toBe(204)
    expect(order).toEqual(['stored', 'answered'])
    expect(events).toEqual([{ ...JSON.parse(BODY), id: 'evt_1' }])
    expect(errors).toEqual([])
  })

  test('answers 401 without a word to everything that does not verify', async () => {
    const send = await serve(options)
    const old = new Date(Date.now() - 3_600_000)
    const refused = [
      post(BODY, signedHeaders(newSecret())),
      post(BODY.replace('80', '81'), signedHeaders(SECRET)),
      post(BODY, signedHeaders(SECRET, BODY, { at: old })),
      post(BODY, { 'content-type': 'application/json' }),
      post('', signedHeaders(SECRET)),
      post('{}', signedHeaders(SECRET, '{}')),
    ]
    for (const init of refused) {
      const response = await send(init)
      expect(response.status).toBe(401)
      expect(await response.text()).toBe('')
    }
    expect(events).toEqual([])
    expect(errors).toHaveLength(refused.length)
  })

  test('answers 500 without a word if onEvent throws, so that the gateway retries', async () => {
    const failure = new Error('The database is down: password of admin is hunter2.')
    for (const onEvent of [
      () => {
        throw failure
      },
      () => Promise.reject(failure),
    ]) {
      const send = await serve({ ...options, onEvent })
      const response = await send(post())
      expect(response.status).toBe(500)
      expect(await response.text()).toBe('')
    }
    expect(errors).toEqual([failure, failure])
  })

  test('answers 500 if the secret is missing, because the program is wrong', async () => {
    const send = await serve({ ...options, secret: '' })
    expect((await send(post())).status).toBe(500)
    expect(errors).toMatchObject([{ code: 'secret_invalid' }])
  })

  test('answers 500 if even onError throws', async () => {
    const send = await serve({
      ...options,
      onEvent: () => Promise.reject(new Error('down')),
      onError: () => {
        throw new Error('The logger is down too.')
      },
    })
    expect((await send(post())).status).toBe(500)
  })

  test.skipIf(name === 'Express with express.raw')(
    'answers 413 to a body above the limit, with and without its length',
    async () => {
      const send = await serve({ ...options, maxBytes: BODY.length })
      expect((await send(post())).status).toBe(204)
      const large = `${BODY} `
      expect((await send(post(large))).status).toBe(413)
      const stream = new Blob([large]).stream()
      const init = { ...post(large), body: stream, duplex: 'half' } as RequestInit
      expect((await send(init)).status).toBe(413)
      expect(events).toHaveLength(1)
    },
  )

  test('answers 405 or 404 to a GET', async () => {
    const send = await serve(options)
    expect([404, 405]).toContain((await send({ method: 'GET' })).status)
  })

  test('takes an event of any content type', async () => {
    const send = await serve(options)
    const headers = { ...signedHeaders(SECRET), 'content-type': 'application/octet-stream' }
    expect((await send(post(BODY, headers))).status).toBe(204)
  })
})

test('a Fetch-style handler refuses a body that was read before, and says how to keep it', async () => {
  const request = new Request('http://localhost/hook', post())
  await request.json()
  expect((await webhookHandler(options)(request)).status).toBe(500)
  expect(errors).toMatchObject([{ code: 'body_not_raw' }])
})

test('Express behind express.json() gets 500, and the error says how to get the raw body', async () => {
  const app = express()
  app.use(express.json())
  app.post('/hook', expressWebhook(options))
  const send = await listen(createServer(app))
  expect((await send(post())).status).toBe(500)
  expect(errors).toMatchObject([{ code: 'body_not_raw' }])
  expect(String(errors[0])).toContain('express.raw')
  expect(events).toEqual([])
})

test('Express behind express.json() works if the program keeps the raw body', async () => {
  const app = express()
  app.use(
    express.json({
      verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }),
    }),
  )
  app.post('/hook', expressWebhook(options))
  const send = await listen(createServer(app))
  expect((await send(post())).status).toBe(204)
})

test('Express survives a sender that leaves in the middle of the body', async () => {
  const app = express()
  app.post('/hook', expressWebhook(options))
  const server = createServer(app)
  const send = await listen(server)
  const { port } = server.address() as AddressInfo
  const headers = { ...signedHeaders(SECRET), 'content-length': '1000' }
  const half = httpRequest({ port, host: '127.0.0.1', path: '/hook', method: 'POST', headers })
  half.on('error', () => {})
  await new Promise<void>((resolve) => half.write(BODY, () => resolve()))
  half.destroy()
  await vi.waitUntil(() => errors.length > 0, { timeout: 180_000 })
  expect((await send(post())).status).toBe(204)
  expect(events).toHaveLength(1)
})

test('Fastify still parses the bodies of other routes, also with a JSON parser of its own', async () => {
  const app = Fastify()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) =>
    done(null, { parsed: JSON.parse(String(text)) }),
  )
  await app.register(fastifyWebhook, { ...options, url: '/hook' })
  app.post('/other', async ({ body }) => body)
  const send = await listenWithFastify(app)
  expect((await send(post())).status).toBe(204)
  const other = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
  expect(other.json()).toEqual({ parsed: { a: 1 } })
})

test('without onError, a failing onEvent is reported to the console, and a refusal is not', async () => {
  const failure = new Error('down')
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const handle = webhookHandler({ secret: SECRET, onEvent: () => Promise.reject(failure) })
  await handle(new Request('http://localhost/hook', post(BODY, {})))
  expect(logged).not.toHaveBeenCalled()
  await handle(new Request('http://localhost/hook', post()))
  expect(logged).toHaveBeenCalledExactlyOnceWith(failure)
})

test('an error of verifyWebhook that onEvent throws is a 500 too', async () => {
  const inner = await import('@purser/sdk/webhooks')
  const handle = webhookHandler({
    ...options,
    onEvent: () => inner.verifyWebhook('', {}, SECRET),
  })
  expect((await handle(new Request('http://localhost/hook', post()))).status).toBe(500)
})

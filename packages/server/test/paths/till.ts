import { createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { Problem } from '../../src/base/errors.ts'
import { bytesOf, type Caller, type Door } from '../../src/http/door.ts'
import type { PaymentPath } from '../../src/paths/path.ts'

/** What the other party and the path of this test have agreed on. */
export interface TillSettings {
  /** By the token in the address; each names an organization. */
  readonly callers: Map<string, Caller>
  readonly secret: string
}

export const SIGNATURE = 'till-signature'

export function signatureOf(secret: string, bytes: string | Buffer): string {
  return createHmac('sha256', secret).update(bytes).digest('hex')
}

/** A payment path of the tests only, with one door of each kind. */
export const tillPath: PaymentPath<TillSettings> = {
  name: 'card',
  open: (_parts, settings) => ({ doors: [eventDoor(settings), orderDoor(settings)] }),
}

/** As card issuers call: a token in the address, and a signature over the bytes. */
function eventDoor({ callers, secret }: TillSettings): Door {
  const seen = new Set<string>()
  return {
    prefix: '/ingest/till/:token',
    body: 'raw',
    identify(request) {
      const { token = '' } = request.params as { token?: string }
      const given = Buffer.from(String(request.headers[SIGNATURE] ?? ''))
      const expected = Buffer.from(signatureOf(secret, bytesOf(request)))
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
      return isSigned ? callers.get(token) : undefined
    },
    toAnswer: ({ code, status }) => ({ status, body: `till-error: ${code}` }),
    routes(app) {
      app.post('/events', async ({ caller, body }) => {
        const text = String(body)
        if (text === 'break') throw new Error('A secret of the inside.')
        const isRepeat = seen.has(text)
        seen.add(text)
        return { ...caller, text, isBytes: Buffer.isBuffer(body), isRepeat }
      })
    },
  }
}

const Order = Type.Object({ item: Type.String(), count: Type.Integer() }, { title: 'TillOrder' })

/** As shops call: a bearer token, JSON, an envelope and statuses of their own. */
function orderDoor({ callers }: TillSettings): Door {
  return {
    prefix: '/till/orders',
    body: 'json',
    isDocumented: true,
    async identify({ headers }) {
      const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
      if (token === 'break') throw new Error('A secret of the inside.')
      return callers.get(token)
    },
    toAnswer(problem, request) {
      if (problem.code === 'overloaded') {
        return { status: 429, body: { error: 'busy' }, headers: { 'retry-after': '7' } }
      }
      if (problem.code === 'plan_limit_exceeded') throw new Error('There is no such answer.')
      const status = problem.status === 401 ? 403 : problem.status
      return { status, body: { error: problem.code, text: problem.message, at: request.id } }
    },
    routes(app) {
      app.route({
        method: 'POST',
        url: '/new',
        schema: { operationId: 'tillOrder', body: Order, response: { 200: Order } },
        handler: async ({ body }) => {
          if (body.item === 'crowd') throw new Problem('overloaded', 'Too many orders.')
          if (body.item === 'unanswerable') throw new Problem('plan_limit_exceeded', 'Too many.')
          return body
        },
      })
      app.post('/any', async ({ body, caller }) => ({ body: body ?? null, ...caller }))
    },
  }
}

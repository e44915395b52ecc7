import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../base/errors.ts'
import { parseStrictJson } from '../../../base/strict-json.ts'
import { createTurns, tooManyUnknown } from '../../../http/auth/turns.ts'
import { bytesOf, type Door } from '../../../http/door.ts'
import { findIngestToken, readToken } from '../../../storage/ingest-tokens.ts'
import type { PathParts } from '../../path.ts'
import { toFlatError } from '../flat-error.ts'
import type { FlowParts } from '../flow-parts.ts'
import type { AcpMerchant } from '../merchant.ts'
import { isSignedByMerchant } from '../versions/merchant-signature.ts'
import { readOrderEvent } from '../versions/order-event.ts'
import { hearOrder } from './hear-order.ts'

/** Bounds what made-up tokens can make the database do. */
const KNOCKING = { atOnce: 4, waitingMax: 1_000 }

/** Where merchants tell of their orders: the address leads to one of them, and the bytes are signed. */
export function createOrdersDoor(parts: FlowParts & Pick<PathParts, 'keyKind'>): Door {
  const turns = createTurns({ ...KNOCKING, tooMany: () => tooManyUnknown('keys') })
  const admitted = new WeakMap<FastifyRequest, AcpMerchant>()

  async function identify(request: FastifyRequest) {
    const { token = '' } = request.params as { token?: string }
    const hash = readToken(token)
    const led = hash && (await turns.run(() => findIngestToken(parts.db, hash)))
    const now = parts.now()
    if (!led || (led.endsAt !== null && led.endsAt <= now)) throw nobodyThere()
    const merchant = await parts.registry.merchantById(led.organizationId, led.connectionId)
    if (!merchant?.webhookSecret) throw nobodyThere()
    const header = request.headers['merchant-signature']
    const signed = {
      body: bytesOf(request),
      secret: merchant.webhookSecret,
      header: textOf(header),
    }
    if (!isSignedByMerchant(signed, now)) return undefined
    admitted.set(request, merchant)
    return { organizationId: led.organizationId, kind: parts.keyKind }
  }

  return {
    prefix: '/ingest/acp/:token',
    body: 'raw',
    identify,
    toAnswer: (problem) => toFlatError(problem, NAMES),
    routes(app) {
      app.post('/orders', async (request) => {
        const merchant = admitted.get(request)
        if (!merchant) throw new Error('A request came in that nobody has let in.')
        const bytes = bytesOf(request)
        const event = readOrderEvent(parseStrictJson(bytes))
        if ('unreadable' in event) throw new Problem('malformed_json', event.unreadable)
        await hearOrder(parts, request.organizationId, merchant, event, digestOf(bytes))
        return { received: true }
      })
    },
  }
}

/** Of the body alone: a delivery that is repeated is signed anew. */
function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

const NAMES = { unauthenticated: { code: 'invalid_signature' } }

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

function nobodyThere(): Problem {
  return new Problem('route_not_found', 'There is no such address.')
}

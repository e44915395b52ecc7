import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../base/errors.ts'
import { parseStrictJson } from '../../../base/strict-json.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { createTurns, tooManyUnknown } from '../../../http/auth/turns.ts'
import { bytesOf, type Door } from '../../../http/door.ts'
import { findIngestToken, readToken } from '../../../storage/ingest-tokens.ts'
import type { PathParts } from '../../path.ts'
import { toFlatError } from '../flat-error.ts'
import type { FlowParts } from '../flow-parts.ts'
import type { AcpMerchant } from '../merchant.ts'
import { readOrderEvent } from '../versions/order-event.ts'
import { hearOrder } from './hear-order.ts'

/** Limits the database load that invented tokens can cause. */
const KNOCKING = { atOnce: 4, waitingMax: 1_000 }

/**
 * Receives order events of merchants. The token in the URL identifies the merchant, and the body is
 * signed.
 */
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
        if (!merchant) throw new Error('A request was not authenticated.')
        const bytes = bytesOf(request)
        const event = readOrderEvent(parseStrictJson(bytes))
        if ('unreadable' in event) throw new Problem('malformed_json', event.unreadable)
        await hearOrder(parts, request.organizationId, merchant, event, digestOf(bytes))
        return { received: true }
      })
    },
  }
}

/** Hashes only the body, because a repeated delivery has a new signature. */
function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

const NAMES = { unauthenticated: { code: 'invalid_signature' } }

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

function nobodyThere(): Problem {
  return new Problem('route_not_found', 'This address does not exist.')
}

const HEADER = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i
const TOLERANCE_MS = 300_000

/**
 * Whether a merchant has signed these bytes just now: `Merchant-Signature: t=<seconds>,v1=<hex>`, an
 * HMAC-SHA256 over the time, a point and the raw body. The time is compared in both directions,
 * because a signature from the future could be kept for later.
 */
export function isSignedByMerchant({ header, body, secret }: SignedRequest, now: Instant): boolean {
  const [, seconds = '', signature = ''] = HEADER.exec(header ?? '') ?? []
  if (seconds === '') return false
  if (Math.abs(now - Number(seconds) * 1_000) > TOLERANCE_MS) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

interface SignedRequest {
  readonly header: string | undefined
  readonly body: Buffer
  readonly secret: string
}

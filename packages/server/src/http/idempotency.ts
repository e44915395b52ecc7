import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { claimIdempotencyKey, findStoredAnswer, storeAnswer } from '../storage/idempotency.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'

const KEY_FORM = /^[\x20-\x7e]{1,255}$/
const PURPOSE = 'idempotency-answer'

/** Carries out a POST or PATCH: `run` in a transaction, once per Idempotency-Key. */
export type Write = <Answer extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  run: (tx: Tx) => Promise<Answer>,
) => Promise<Answer>

interface Writing {
  readonly db: Database
  readonly sealer: Sealer
  readonly now: () => number
}

/**
 * Every change runs in one transaction, and the answer to its Idempotency-Key is stored in that
 * same transaction: either the change and its answer are both there, or neither is, whatever dies
 * in between. A request that was refused changed nothing, so nothing is kept of it and the key may
 * be used again.
 */
export function createWrite({ db, sealer, now }: Writing): Write {
  return (request, reply, run) => {
    const key = readKey(request)
    if (key === undefined) return db.transaction(run)
    return db.transaction(async (tx) => {
      const earlier = await findAnswer(tx, request, key)
      if (earlier !== undefined) {
        reply.header('idempotent-replayed', 'true')
        // Parsed and written again, the text has the same bytes: it was written by us.
        return JSON.parse(earlier)
      }
      const answer = await run(tx)
      const sealed = sealer.seal(request.organizationId, PURPOSE, JSON.stringify(answer))
      const stored = { fingerprint: fingerprintOf(request), answer: sealed }
      if (!(await storeAnswer(tx, request.organizationId, key, stored, now()))) throw keyReused()
      return answer
    })
  }

  async function findAnswer(
    tx: Tx,
    request: FastifyRequest,
    key: string,
  ): Promise<string | undefined> {
    const { organizationId } = request
    if (!(await claimIdempotencyKey(tx, organizationId, key))) {
      throw keyInFlight(1)
    }
    const stored = await findStoredAnswer(tx, organizationId, key, now())
    if (!stored) return undefined
    if (!stored.fingerprint.equals(fingerprintOf(request))) {
      throw keyReused()
    }
    return sealer.open(organizationId, PURPOSE, stored.answer)
  }
}

/** The key and what it stands for, for requests whose answers are stored in another way. */
export function readIdempotency(
  request: FastifyRequest,
): { readonly key: string; readonly fingerprint: Buffer } | null {
  const key = readKey(request)
  return key === undefined ? null : { key, fingerprint: fingerprintOf(request) }
}

function readKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  if (typeof header === 'string' && KEY_FORM.test(header)) return header
  throw new Problem(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1 to 255 printable ASCII characters.',
  )
}

/**
 * Two requests are the same when API key, method, address and body bytes are. Without the API key,
 * one that may do little could be told what another was told, down to a secret that is shown once.
 */
function fingerprintOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${request.apiKey.id} ${request.method} ${request.url}\n`)
    .update(request.rawBody ?? '')
    .digest()
}

export function keyInFlight(retryAfterSeconds: number): Problem {
  return new Problem(
    'idempotency_in_flight',
    'The first request with this Idempotency-Key has not been answered yet. Repeat this one shortly.',
    { retryAfterSeconds },
  )
}

function keyReused(): Problem {
  return new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  )
}

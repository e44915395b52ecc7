import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/errors.ts'
import { type IdempotencyKey, keyInFlight, keyReused, type SpacedKey } from '../core/idempotency.ts'
import type { Instant } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import {
  claimIdempotencyKey,
  findStoredAnswers,
  KEPT_MS,
  storeAnswer,
} from '../storage/idempotency.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { ANSWER_PURPOSE } from '../storage/secrets/sealed-values.ts'
import { type RecordChange, recordedTransaction } from './record-change.ts'

const KEY_FORM = /^[\x20-\x7e]{1,255}$/
const SPEND_MARK = Buffer.of(2)
const SPEND_FINGERPRINT_BYTES = 33

/**
 * Carries out a POST or PATCH: `run` in a transaction, once per Idempotency-Key. `run` passes its
 * changes to `record`, which stores them with the actor.
 */
export type Write = <Answer extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  run: (tx: Tx, record: RecordChange) => Promise<Answer>,
  /** The agent that the request concerns; required for endpoints that keys bound to agents may call. */
  agentConcerned?: (tx: Tx) => Promise<string>,
) => Promise<Answer>

interface Writing {
  readonly db: Database
  readonly sealer: Sealer
  readonly clock: DatabaseClock
}

/**
 * Every change runs in one transaction, and the answer to its Idempotency-Key is stored in that
 * same transaction: either the change and its answer are both there, or neither is, even after a
 * crash. A refused request changed nothing, so nothing is stored and the key may be used again.
 */
export function createWrite({ db, sealer, clock }: Writing): Write {
  return (request, reply, run, agentConcerned) => {
    db.requireRoom?.()
    const key = readKey(request)
    if (key === undefined) return recordedTransaction(db, request, run)
    return recordedTransaction(db, request, async (tx, record) => {
      const spaced = { space: await spaceOf(tx, request, agentConcerned), key }
      const fingerprint = changeFingerprint(request)
      const { earlier, now } = await findAnswer(tx, request, spaced, fingerprint)
      if (earlier !== undefined) {
        reply.header('idempotent-replayed', 'true')
        // Parsing and writing the text again gives the same bytes, because we wrote it.
        return JSON.parse(earlier)
      }
      const answer = await run(tx, record)
      const { organizationId } = request
      const sealed = sealer.seal(organizationId, ANSWER_PURPOSE, JSON.stringify(answer))
      const stored = { fingerprint, answer: sealed }
      if (!(await storeAnswer(tx, organizationId, spaced, stored, now))) throw keyReused()
      return answer
    })
  }

  async function findAnswer(
    tx: Tx,
    { organizationId }: FastifyRequest,
    spaced: SpacedKey,
    fingerprint: Buffer,
  ): Promise<{ readonly earlier: string | undefined; readonly now: Instant }> {
    const { space, key } = spaced
    // Answers to bound keys that are older than the spaces are still in the organization's space.
    const spaces = [...new Set([space, organizationId])]
    const [isClaimed, all, now] = await Promise.all([
      claimIdempotencyKey(tx, organizationId, spaced),
      findStoredAnswers(tx, organizationId, spaces, key),
      clock(tx),
    ])
    if (!isClaimed) throw keyInFlight(1)
    const found = all.filter(({ createdAt }) => createdAt > now - KEPT_MS)
    const same = found.find((stored) => stored.fingerprint.equals(fingerprint))
    if (same?.answer)
      return { earlier: sealer.open(organizationId, ANSWER_PURPOSE, same.answer), now }
    if (found.some((stored) => stored.space === space)) throw keyReused()
    return { earlier: undefined, now }
  }
}

/**
 * Returns the space within which the key is unique. Requests of a bound key use the space of the
 * agent that they concern, so that they can neither take nor probe the keys of other agents or of
 * the organization's people.
 */
async function spaceOf(
  tx: Tx,
  { principal, organizationId }: FastifyRequest,
  agentConcerned: ((tx: Tx) => Promise<string>) | undefined,
): Promise<string> {
  if (principal.agentIds === null) return organizationId
  assert(agentConcerned, 'an endpoint that bound keys may call says which agent it concerns')
  return agentConcerned(tx)
}

/** Reads the Idempotency-Key of a spend, which is unique per agent. */
export function readSpendKey(request: FastifyRequest, agentId: string): IdempotencyKey | null {
  const key = readKey(request)
  if (key === undefined) return null
  const fingerprint = spendFingerprint(request)
  return {
    space: agentId,
    key,
    fingerprint,
    matches: (stored) =>
      stored.equals(isSpendForm(stored) ? fingerprint : changeFingerprint(request)),
  }
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
 * Two changes are the same if API key, method, address and body bytes are. Without the API key, a
 * key with few scopes could receive the answer to a more powerful one, even a secret that is shown
 * once.
 */
function changeFingerprint(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${request.principal.id} ${request.method} ${addressOf(request)}\n`)
    .update(request.rawBody ?? '')
    .digest()
}

/**
 * A spend's answer holds no secret, and every key that may act for the agent may read it. So the
 * API key is left out, and a retry with a different key of the same agent finds the first answer.
 * The first byte distinguishes it from fingerprints that were stored when spends still used the
 * form of changes.
 */
function spendFingerprint(request: FastifyRequest): Buffer {
  const hash = createHash('sha256')
    .update(`${request.method} ${addressOf(request)}\n`)
    .update(request.rawBody ?? '')
    .digest()
  return Buffer.concat([SPEND_MARK, hash])
}

/** A trailing slash leads to the same endpoint. */
function addressOf({ url }: FastifyRequest): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

function isSpendForm(fingerprint: Buffer): boolean {
  return fingerprint.length === SPEND_FINGERPRINT_BYTES
}

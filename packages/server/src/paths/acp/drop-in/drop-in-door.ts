import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../base/errors.ts'
import { onlyAgentOf } from '../../../core/api-key.ts'
import { toPublicId } from '../../../core/id.ts'
import { toIso } from '../../../core/time/instant.ts'
import type { Door } from '../../../http/door.ts'
import type { PathParts } from '../../path.ts'
import type { BuyParts } from '../checkout/buy.ts'
import { toFlatError } from '../flat-error.ts'
import { type Delegated, delegate } from './delegation.ts'
import { readDelegation, requireDelegationKey, requireVersion } from './delegation-request.ts'

type DropInParts = BuyParts & Pick<PathParts, 'authenticate' | 'keyKind'>

/**
 * Serves the protocol's call by which agent platforms get tokens from a payment provider,
 * unchanged. A client of the protocol changes only its base URL, and the gateway then judges its
 * spends. Its bearer token is one of our API keys.
 */
export function createDropInDoor(parts: DropInParts): Door {
  return {
    prefix: '/acp/agentic_commerce',
    body: 'json',
    identify: ({ organizationId }) => ({ organizationId, kind: parts.keyKind }),
    toAnswer: (problem, request) => {
      const answer = toFlatError(problem)
      return {
        ...answer,
        headers: { ...answer.headers, ...echoOf(request), ...decisionOf(problem) },
      }
    },
    routes(app) {
      app.addHook('onRequest', async (request, reply) => parts.authenticate(request, reply))
      app.post(
        '/delegate_payment',
        { config: { scope: 'gateway:write', agentKeys: 'allowed' } },
        (request, reply) => answer(parts, request, reply),
      )
    },
  }
}

async function answer(
  parts: DropInParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const receivedAt = performance.now()
  const { organizationId, principal } = request
  const agentId = requireOneAgent(request)
  requireVersion(request)
  const asked = readDelegation(request.body)
  const idempotency = requireDelegationKey(request, agentId)
  const asker = { organizationId, agentId, askedBy: principal, idempotency, receivedAt }
  const { checkout, token, isReplay } = await delegate(parts, asker, asked)
  const decisionId = toPublicId('txn', checkout.id)
  return reply
    .code(201)
    .headers({
      ...echoOf(request),
      ...(isReplay && { 'idempotent-replayed': 'true' }),
      'purser-decision-id': decisionId,
    })
    .send({
      id: token,
      created: toIso(checkout.createdAt),
      metadata: { ...asked.metadata, ...ownMetadata(checkout, decisionId) },
    })
}

function ownMetadata({ maxMinor }: Delegated['checkout'], decisionId: string) {
  return {
    purser_decision_id: decisionId,
    purser_hold_id: decisionId,
    purser_max_amount: String(maxMinor),
  }
}

/** Requires a key of exactly one agent, because the protocol does not name the spender. */
function requireOneAgent({ principal }: FastifyRequest): string {
  const agentId = onlyAgentOf(principal)
  if (agentId !== undefined) return agentId
  throw new Problem(
    'insufficient_scope',
    'The API key must be bound to exactly one agent, because the request does not name the agent that spends.',
  )
}

/** Echoes the headers that identify a request, as the protocol requires. */
function echoOf({ headers }: FastifyRequest): Record<string, string> {
  const echoed = ['idempotency-key', 'request-id'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? [[name, value]] : []
  })
  return Object.fromEntries(echoed)
}

function decisionOf({ extra }: Problem): Record<string, string> {
  const { decisionId } = extra
  return typeof decisionId === 'string' ? { 'purser-decision-id': decisionId } : {}
}

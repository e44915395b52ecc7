import { type Static, Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import { instantOf } from '../../core/id.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { TTL } from '../../core/tokens/claims.ts'
import type { App } from '../../http/app.ts'
import { EXAMPLE_TIME } from '../../http/document/examples.ts'
import {
  AgentId,
  fromPublicId,
  publicId,
  Timestamp,
  toTimestamp,
} from '../../http/document/schemas.ts'
import { findAgent } from '../../storage/agents.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { findMandate } from '../../storage/mandates.ts'
import {
  ANYBODY,
  countRevokedTokens,
  type Revocation,
  storeRevocation,
} from '../../storage/tokens/token-revocations.ts'
import type { TokenParts } from './issuer.ts'

const RevokeBody = Type.Object(
  {
    jti: Type.Optional(publicId('mtk', 'the token to revoke')),
    mandateId: Type.Optional(
      publicId('mnd', 'a mandate. Revokes all tokens of this mandate and its child mandates'),
    ),
    agentId: Type.Optional({
      ...AgentId,
      description: 'The id of an agent. Revokes all tokens of this agent.',
    }),
  },
  {
    additionalProperties: false,
    title: 'RevocationInput',
    description: 'Send exactly one of the three fields.',
    examples: [{ jti: 'mtk_019a85617c5e7d409b5e6f1f0a3c2b11' }],
  },
)

const Revoked = Type.Object(
  {
    revokedAt: {
      ...Timestamp,
      description:
        'When the revocation took effect (ISO 8601, UTC). Tokens issued until then are no longer valid; later ones are.',
    },
  },
  { title: 'TokenRevocation', examples: [{ revokedAt: EXAMPLE_TIME }] },
)

/** Beyond this many single tokens in 15 minutes, all tokens of their owner are revoked. */
export const REVOKED_TOKENS_MAX = { byAgent: 1_000, byOrganization: 10_000 }

/** `POST /gateway/mandate-token/revoke`: makes tokens invalid from now on. */
export function tokenRevocationRoutes(app: App, { write, clock }: TokenParts): void {
  app.route({
    method: 'POST',
    url: '/gateway/mandate-token/revoke',
    schema: {
      operationId: 'revokeMandateTokens',
      summary: 'Revoke mandate tokens by id, mandate or agent',
      description:
        'The response is the same whether or not such tokens exist. Introspection reports the revocation at once. A recipient that verifies offline accepts the token until it expires.',
      tags: ['Gateway'],
      body: RevokeBody,
      response: { 200: Revoked },
    },
    config: { scope: 'gateway:write', agentKeys: 'allowed' },
    handler: async (request, reply) => {
      const { organizationId, principal, body } = request
      requireOne(body)
      return write(
        request,
        reply,
        async (tx, record) => {
          const now = await clock(tx)
          const place = { tx, organizationId, principal, now }
          const revocations = await toRevocations(place, body)
          for (const revocation of revocations) {
            await storeRevocation(tx, organizationId, revocation, now)
          }
          const after = { revokedAt: toTimestamp(now) }
          if (revocations.length > 0) record({ ...subjectOf(body), at: now, before: null, after })
          return after
        },
        async () => concernedBy(principal, body),
      )
    },
  })
}

interface Place {
  readonly tx: Tx
  readonly organizationId: string
  readonly principal: Principal
  readonly now: Instant
}

function requireOne(body: Static<typeof RevokeBody>): void {
  if (Object.keys(body).length === 1) return
  const message = 'must contain exactly one of jti, mandateId and agentId'
  throw invalidFields([{ path: '', code: 'exactly_one', message }])
}

function subjectOf({ jti, mandateId, agentId }: Static<typeof RevokeBody>) {
  if (jti !== undefined) return { operation: 'mandate_token.revoked', subjectId: jti } as const
  if (mandateId !== undefined) {
    return { operation: 'mandate.tokens_revoked', subjectId: mandateId } as const
  }
  return { operation: 'agent.tokens_revoked', subjectId: agentId ?? '' } as const
}

/** The agent under which the Idempotency-Key of an agent-bound key is stored. */
function concernedBy({ agentIds }: Principal, { agentId }: Static<typeof RevokeBody>): string {
  const own = agentIds?.find((id) => id === agentId) ?? agentIds?.[0]
  if (own === undefined) throw new Error('Only an agent-bound key has agents to check.')
  return own
}

/**
 * Empty for an id that does not exist or that the key may not see: the response must not distinguish
 * the two.
 */
async function toRevocations(
  place: Place,
  { jti, mandateId, agentId }: Static<typeof RevokeBody>,
): Promise<Revocation[]> {
  const { tx, organizationId, principal } = place
  if (jti !== undefined) return ofToken(place, fromPublicId('mtk', jti))
  if (mandateId !== undefined) {
    const mandate = await findMandate(tx, organizationId, fromPublicId('mnd', mandateId))
    if (!mandate || !actsFor(principal, mandate.agentId)) return []
    // Child mandates belong to other agents.
    const owner = principal.agentIds === null ? ANYBODY : mandate.agentId
    return [{ kind: 'mandate', subject: mandate.id, agentId: owner }]
  }
  const agent = agentId !== undefined && (await findAgent(tx, organizationId, agentId))
  if (!agent || !actsFor(principal, agent.id)) return []
  return [{ kind: 'agent', subject: agent.id, agentId: ANYBODY }]
}

/**
 * Tokens are not stored, so the gateway does not know whose token this is. An agent-bound key revokes
 * it for each of its agents, which does not affect the tokens of others. The id has the time of issue.
 */
async function ofToken(place: Place, id: string): Promise<Revocation[]> {
  const issuedAt = instantOf(id)
  const hasEnded = issuedAt + TTL.max * 1_000 <= place.now
  if (hasEnded || issuedAt > place.now) return []
  const owners = place.principal.agentIds ?? [ANYBODY]
  return Promise.all(owners.map((agentId) => ofTokenOf(place, id, agentId)))
}

/** The number of rows is limited. Beyond the limit, all tokens are revoked rather than one too few. */
async function ofTokenOf(
  { tx, organizationId }: Place,
  id: string,
  agentId: string,
): Promise<Revocation> {
  const { byAgent, byOrganization } = REVOKED_TOKENS_MAX
  const isOfAll = agentId === ANYBODY
  const most = isOfAll ? byOrganization : byAgent
  const count = await countRevokedTokens(tx, organizationId, agentId, most)
  if (count < most) return { kind: 'token', subject: id, agentId }
  if (isOfAll) return { kind: 'organization', subject: organizationId, agentId: ANYBODY }
  return { kind: 'agent', subject: agentId, agentId: ANYBODY }
}

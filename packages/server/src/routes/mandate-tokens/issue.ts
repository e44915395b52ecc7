import { type Static, Type } from 'typebox'
import { type FieldError, Problem } from '../../base/errors.ts'
import { logEvent } from '../../base/log/log-event.ts'
import { agentNotFound } from '../../core/agent.ts'
import { actsFor, onlyAgentOf } from '../../core/api-key.ts'
import type { Principal } from '../../core/principal.ts'
import { type Audience, TTL, toAudience } from '../../core/tokens/claims.ts'
import { allowsVendor } from '../../core/tokens/constraints.ts'
import { type Inactive, isExhausted } from '../../core/tokens/standing.ts'
import type { App } from '../../http/app.ts'
import { AgentId, publicId, timeWhen, toTimestamp } from '../../http/document/schemas.ts'
import { TOKEN_TYPE } from '../../tokens/mandate-tokens.ts'
import { type Line, readAttestable } from '../../tokens/standing.ts'
import { TOKEN_EXAMPLE } from './examples.ts'
import { requireIssuer, type TokenParts } from './issuer.ts'

const TokenQuery = Type.Object(
  {
    agentId: Type.Optional({
      ...AgentId,
      description: 'The id of the agent. Optional for a key that is bound to exactly one agent.',
    }),
    audience: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description:
          'The recipient of the token, as an https origin. Default: this gateway. Only tokens for the gateway itself contain the rules and the budget.',
        examples: ['https://shop.example'],
      }),
    ),
    ttl: Type.Integer({
      minimum: TTL.min,
      maximum: TTL.max,
      default: TTL.default,
      description:
        "The token's lifetime in seconds. It ends earlier if the mandate or a parent mandate ends.",
    }),
  },
  { additionalProperties: false },
)

const MandateToken = Type.Object(
  {
    token: Type.String({ description: 'The token: a JWT signed with ES256.' }),
    tokenType: Type.Literal(TOKEN_TYPE, { type: 'string', description: 'The `typ` of the JWT.' }),
    expiresAt: timeWhen('When the token expires'),
    jti: publicId('mtk', 'the token'),
    kid: Type.String({ description: 'The id of the signing key. Its public key is at `jwksUri`.' }),
    issuer: Type.String({
      description: 'The public URL of this gateway.',
      examples: ['https://gateway.example'],
    }),
    audience: Type.String({
      description: 'The recipient of the token.',
      examples: ['https://shop.example'],
    }),
    mandateId: publicId('mnd', 'the mandate that the token attests'),
    mandateVersion: Type.Integer({ description: 'The version of the mandate.' }),
    jwksUri: Type.String({
      description: 'The URL of the public keys that verify the token.',
      examples: ['https://gateway.example/.well-known/jwks.json'],
    }),
  },
  { title: 'MandateToken', examples: [TOKEN_EXAMPLE] },
)

/** `GET /gateway/mandate-token`: a signed statement that an agent acts under a mandate. */
export function mandateTokenRoutes(app: App, parts: TokenParts): void {
  const { gateway, tokens, allowsLoopback } = parts
  app.route({
    method: 'GET',
    url: '/gateway/mandate-token',
    schema: {
      operationId: 'getMandateToken',
      summary: "Get a signed token that proves an agent's mandate",
      description:
        'The token proves that the mandate exists, but cannot be used to spend: every spend still needs a decision of the gateway. Anyone can verify the token with the public keys at `jwksUri`.',
      tags: ['Gateway'],
      querystring: TokenQuery,
      response: { 200: MandateToken },
    },
    config: {
      scope: 'gateway:read',
      agentKeys: 'allowed',
      problems: [
        'agent_not_found',
        'mandate_inactive',
        'audience_not_allowed',
        'public_url_missing',
      ],
    },
    handler: async (request, reply): Promise<Static<typeof MandateToken>> => {
      const { organizationId, principal, query } = request
      const agentId = agentOf(principal, query.agentId)
      const issuer = requireIssuer(parts)
      const audience = readAudience(query.audience, issuer, allowsLoopback)
      await gateway.releaseOverdue(organizationId)
      const found = await readAttestable(parts, organizationId, agentId)
      if ('inactive' in found) throw mandateInactive(found.inactive)
      const { line, now } = found
      if (isExhausted(line, now)) throw mandateInactive(EXHAUSTED)
      if (audience && !allowsVendor(line, audience.vendor)) throw notAllowed(audience)
      const issued = await tokens.issue(
        {
          issuer,
          audience: audience?.origin ?? issuer,
          vendor: audience?.vendor,
          organizationId,
          line,
          told: toldTo(principal, line),
          ttlSeconds: query.ttl,
        },
        now,
      )
      if (!issued) throw mandateInactive(EXPIRED)
      const { token, kid, claims } = issued
      const { jti, aud, mandate } = claims
      const told = { requestId: request.id, organizationId, agentId, jti, audience: aud }
      logEvent(request.log, 'tokens.issued', { ...told, key: principal.prefix })
      reply.header('cache-control', 'no-store')
      return {
        token,
        tokenType: TOKEN_TYPE,
        expiresAt: toTimestamp(claims.exp * 1_000),
        jti,
        kid,
        issuer,
        audience: aud,
        mandateId: mandate.id,
        mandateVersion: mandate.version,
        jwksUri: `${issuer}/.well-known/jwks.json`,
      }
    },
  })
}

const EXPIRED: Inactive = { reason: 'expired', message: 'The mandate expires within this second.' }
const EXHAUSTED: Inactive = { reason: 'exhausted', message: 'The budget is used up.' }

function agentOf(principal: Principal, named: string | undefined): string {
  const agentId = named ?? onlyAgentOf(principal)
  if (agentId === undefined) {
    throw invalidQuery({ path: '/agentId', code: 'required', message: 'is required' })
  }
  if (!actsFor(principal, agentId)) throw agentNotFound(agentId)
  return agentId
}

/** Returns undefined for the issuer itself. */
function readAudience(
  text: string | undefined,
  issuer: string,
  allowsLoopback: boolean,
): Audience | undefined {
  if (text === undefined) return undefined
  const audience = toAudience(text, allowsLoopback)
  if (audience) return audience.origin === issuer ? undefined : audience
  throw invalidQuery({
    path: '/audience',
    code: 'format',
    message: allowsLoopback
      ? 'must be one origin such as https://shop.example, or http://localhost:8080 on this machine'
      : 'must be one https origin such as https://shop.example',
  })
}

/**
 * Anyone who holds a token can read it. A token that an agent requests with its own key describes only
 * the agent's own mandate; its hash still covers the parent mandates.
 */
function toldTo({ agentIds }: Principal, line: Line): Line {
  return agentIds === null ? line : [line[0]]
}

function invalidQuery(error: FieldError): Problem {
  return new Problem('validation_failed', `In the query, ${error.path} ${error.message}.`, {
    errors: [error],
  })
}

function mandateInactive({ reason, message }: Inactive): Problem {
  return new Problem('mandate_inactive', `${message} So no token can be issued.`, {
    extra: { reason },
  })
}

function notAllowed({ vendor }: Audience): Problem {
  return new Problem(
    'audience_not_allowed',
    `The vendors rules of the mandate do not allow ${vendor}, so no token can be issued for it.`,
  )
}

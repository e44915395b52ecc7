import { Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { actorText } from '../../core/actor.ts'
import { toPublicId } from '../../core/id.ts'
import type { Organization } from '../../core/organization.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { App } from '../../http/app.ts'
import { EXAMPLE_TIME } from '../../http/document/examples.ts'
import {
  fromPublicId,
  nullable,
  publicId,
  timeWhen,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import {
  lockOrganization,
  type NewWebhookSecret,
  noteUpdate,
  replaceWebhookSecret,
} from '../../storage/organizations.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import {
  hintOf,
  newWebhookSecret,
  webhookSecretPurpose,
} from '../../storage/secrets/webhook-secret.ts'
import { findEndpointSecret, replaceEndpointSecret } from '../../storage/webhooks/endpoints.ts'
import { endpointNotFound } from './require-endpoint.ts'

const DAY_S = 86_400

const Rotation = Type.Object(
  {
    endpointId: Type.Optional({
      ...publicId('whe', 'the endpoint'),
      description: 'The endpoint whose secret is rotated. Default: the first one.',
    }),
    gracePeriodSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DAY_S,
        description:
          'How many seconds `webhook-signature` also has a signature with the previous secret. Default: 0. `X-Service-Signature` has only one signature and switches to the new secret at once.',
      }),
    ),
  },
  { additionalProperties: false, title: 'WebhookSecretRotation', examples: [{}] },
)

const RotatedSecret = Type.Object(
  {
    webhookSecret: Type.String({
      description:
        'The new secret. Only this response shows it: store it where your webhook receiver can read it.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
    webhookSecretHint: Type.String({ description: 'The first characters of the webhook secret.' }),
    webhookSecretRotatedAt: timeWhen('When the secret was rotated'),
    previousSecretValidUntil: nullable(
      timeWhen('Until when the previous secret is also used', 'Null: it is no longer used.'),
    ),
  },
  {
    title: 'RotatedWebhookSecret',
    examples: [
      {
        webhookSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
        webhookSecretHint: 'whsec_C2FV',
        webhookSecretRotatedAt: EXAMPLE_TIME,
        previousSecretValidUntil: null,
      },
    ],
  },
)

const NOT_AN_OBJECT = { path: '', code: 'type', message: 'must be an object, or no body at all' }

interface SecretParts {
  readonly write: Write
  readonly sealer: Sealer
  readonly clock: DatabaseClock
}

export function webhookSecretRoutes(app: App, { write, sealer, clock }: SecretParts): void {
  app.route({
    method: 'POST',
    url: '/organization/webhook-secret/rotate',
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'From now on, the gateway signs every request to the endpoint with the new secret, including retries of older events.',
      tags: ['Organization'],
      body: nullable(Rotation),
      response: { 200: RotatedSecret },
    },
    config: {
      scope: 'organization:write',
      sensitive: true,
      problems: ['webhook_endpoint_not_found'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, body, rawBody } = request
        // A rotation cannot be undone, so a body of `null` is refused.
        if (body === null && rawBody !== undefined) throw invalidFields([NOT_AN_OBJECT])
        const endpointId = readEndpointId(organizationId, body?.endpointId)
        const webhookSecret = newWebhookSecret()
        const [organization, at] = await Promise.all([
          lockOrganization(tx, organizationId),
          clock(tx),
        ])
        const purpose = webhookSecretPurpose(organizationId, endpointId)
        const secret = {
          sealed: sealer.seal(organizationId, purpose, webhookSecret),
          hint: hintOf(webhookSecret),
          previousUntil: body?.gracePeriodSeconds ? at + body.gracePeriodSeconds * 1_000 : null,
        }
        const before = await replaceSecret(tx, organization, endpointId, secret, at)
        if (endpointId === null) {
          tx.send(replaceWebhookSecret(organizationId, secret, at, actorText(principal)))
        } else {
          tx.send(noteUpdate(organizationId, at, actorText(principal)))
        }
        const rotated = {
          webhookSecretHint: secret.hint,
          webhookSecretRotatedAt: toTimestamp(at),
          previousSecretValidUntil: toTimestamp(secret.previousUntil),
        }
        record({
          operation: 'organization.webhook_secret_rotated',
          subjectId: toPublicId('org', organizationId),
          at,
          before: { ...named(endpointId), ...before },
          after: { ...named(endpointId), ...rotated },
        })
        return { webhookSecret, ...rotated }
      }),
  })
}

/** Null is the first endpoint. */
function readEndpointId(organizationId: string, publicId: string | undefined): string | null {
  const id = publicId === undefined ? organizationId : fromPublicId('whe', publicId)
  return id === organizationId ? null : id
}

/** Names the endpoint in the change record, unless it is the first one. */
function named(endpointId: string | null): { readonly endpointId?: string } {
  return endpointId === null ? {} : { endpointId: toPublicId('whe', endpointId) }
}

/**
 * Replaces the secret of an endpoint other than the first one, whose secret is in the organization's
 * row. Returns the parts of the previous secret that may be shown.
 */
async function replaceSecret(
  tx: Tx,
  { id, webhookSecretHint, webhookSecretRotatedAt }: Organization,
  endpointId: string | null,
  secret: NewWebhookSecret,
  at: Instant,
) {
  const ofFirst = { hint: webhookSecretHint, rotatedAt: webhookSecretRotatedAt }
  const before = endpointId === null ? ofFirst : await findEndpointSecret(tx, id, endpointId)
  if (!before) throw endpointNotFound(endpointId ?? id)
  if (endpointId !== null) tx.send(replaceEndpointSecret(id, endpointId, secret, at))
  return {
    webhookSecretHint: before.hint,
    webhookSecretRotatedAt: toTimestamp(before.rotatedAt),
  }
}

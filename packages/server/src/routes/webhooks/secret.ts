import { Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { actorText } from '../../core/actor.ts'
import { toPublicId } from '../../core/id.ts'
import type { Organization } from '../../core/organization.ts'
import type { App } from '../../http/app.ts'
import { EXAMPLE_TIME } from '../../http/document/examples.ts'
import { nullable, Timestamp, toTimestamp } from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import { lockOrganization, replaceWebhookSecret } from '../../storage/organizations.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import { hintOf, newWebhookSecret, SECRET_PURPOSE } from '../../webhooks/signature.ts'

const DAY_S = 86_400

const Rotation = Type.Object(
  {
    gracePeriodSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DAY_S,
        description:
          'For how long `webhook-signature` also holds a signature of the old secret; by default 0. `X-Service-Signature` has room for one and switches at once.',
      }),
    ),
  },
  { additionalProperties: false, title: 'WebhookSecretRotation', examples: [{}] },
)

const RotatedSecret = Type.Object(
  {
    webhookSecret: Type.String({
      description: 'Shown only here: keep it where the receiver can read it.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
    webhookSecretHint: Type.String({ description: 'How the webhook secret begins.' }),
    webhookSecretRotatedAt: Timestamp,
    previousSecretValidUntil: nullable(Timestamp),
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
      summary: 'Replace the webhook secret',
      description:
        'Every request that leaves after this is signed with the new secret, retries of older events included.',
      tags: ['Organization'],
      body: nullable(Rotation),
      response: { 200: RotatedSecret },
    },
    config: { scope: 'organization:write', sensitive: true },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, body, rawBody } = request
        // Rotating cannot be undone, so it is not done on a body that says nothing.
        if (body === null && rawBody !== undefined) throw invalidFields([NOT_AN_OBJECT])
        const graceMs = (body?.gracePeriodSeconds ?? 0) * 1_000
        const webhookSecret = newWebhookSecret()
        const [before, at] = await Promise.all([lockOrganization(tx, organizationId), clock(tx)])
        const previousUntil = graceMs === 0 ? null : at + graceMs
        const secret = {
          sealed: sealer.seal(organizationId, SECRET_PURPOSE, webhookSecret),
          hint: hintOf(webhookSecret),
          previousUntil,
        }
        tx.send(replaceWebhookSecret(organizationId, secret, at, actorText(principal)))
        const rotated = {
          webhookSecretHint: secret.hint,
          webhookSecretRotatedAt: toTimestamp(at),
          previousSecretValidUntil: toTimestamp(previousUntil),
        }
        record({
          operation: 'organization.webhook_secret_rotated',
          subjectId: toPublicId('org', organizationId),
          at,
          before: shownSecret(before),
          after: rotated,
        })
        return { webhookSecret, ...rotated }
      }),
  })
}

/** What may be known of a secret. */
function shownSecret({ webhookSecretHint, webhookSecretRotatedAt }: Organization) {
  return { webhookSecretHint, webhookSecretRotatedAt: toTimestamp(webhookSecretRotatedAt) }
}

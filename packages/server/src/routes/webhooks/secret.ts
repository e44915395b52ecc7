import { Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { actorText } from '../../core/actor.ts'
import { toPublicId } from '../../core/id.ts'
import type { Organization } from '../../core/organization.ts'
import type { App } from '../../http/app.ts'
import { EXAMPLE_TIME } from '../../http/document/examples.ts'
import { nullable, timeWhen, toTimestamp } from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import { lockOrganization, replaceWebhookSecret } from '../../storage/organizations.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import {
  hintOf,
  newWebhookSecret,
  WEBHOOK_SECRET_PURPOSE,
} from '../../storage/secrets/webhook-secret.ts'

const DAY_S = 86_400

const Rotation = Type.Object(
  {
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
      summary: 'Rotate the webhook secret',
      description:
        'From now on, the gateway signs every webhook request with the new secret, including retries of older events.',
      tags: ['Organization'],
      body: nullable(Rotation),
      response: { 200: RotatedSecret },
    },
    config: { scope: 'organization:write', sensitive: true },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, body, rawBody } = request
        // A rotation cannot be undone, so a body of `null` is refused.
        if (body === null && rawBody !== undefined) throw invalidFields([NOT_AN_OBJECT])
        const graceMs = (body?.gracePeriodSeconds ?? 0) * 1_000
        const webhookSecret = newWebhookSecret()
        const [before, at] = await Promise.all([lockOrganization(tx, organizationId), clock(tx)])
        const previousUntil = graceMs === 0 ? null : at + graceMs
        const secret = {
          sealed: sealer.seal(organizationId, WEBHOOK_SECRET_PURPOSE, webhookSecret),
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

/** The parts of a secret that may be shown. */
function shownSecret({ webhookSecretHint, webhookSecretRotatedAt }: Organization) {
  return { webhookSecretHint, webhookSecretRotatedAt: toTimestamp(webhookSecretRotatedAt) }
}

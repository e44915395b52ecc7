import { randomBytes } from 'node:crypto'

/** Secrets of webhooks begin with it, as in Standard Webhooks. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

/** The purpose under which the secret of the first endpoint is sealed. */
export const WEBHOOK_SECRET_PURPOSE = 'webhook-secret'

/** Binds the secret of a further endpoint to its id, so that it does not open under a different one. */
export function webhookSecretPurpose(organizationId: string, endpointId: string | null): string {
  if (endpointId === null || endpointId === organizationId) return WEBHOOK_SECRET_PURPOSE
  return `${WEBHOOK_SECRET_PURPOSE} ${endpointId}`
}

/**
 * A new secret in the form that the user sees once. The part after the prefix is base64, as in
 * Standard Webhooks.
 */
export function newWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(32).toString('base64')
}

/** The part of a secret that may be shown again, to tell two secrets apart. */
export function hintOf(secret: string): string {
  return secret.slice(0, WEBHOOK_SECRET_PREFIX.length + 4)
}

import { type Bytes, decodeBase64 } from '../base/bytes.ts'
import { WebhookVerificationError } from './error.ts'

/** The webhook secret; during a rotation the new and the old one. */
export type WebhookSecret = string | readonly string[]

type Key = Parameters<typeof crypto.subtle.verify>[1]

const PREFIX = 'whsec_'
/** Fewer bytes could be guessed. The gateway makes 32. */
const KEY_BYTES_MIN = 16
const SECRETS_MAX = 8

/** Returns an HMAC key for each secret. `bodyOnly` keys it with the whole text of the secret. */
export function importSecrets(secret: WebhookSecret, bodyOnly: boolean): Promise<Key[]> {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.length > SECRETS_MAX) {
    throw invalid('is missing')
  }
  return Promise.all(
    secrets.map((one) =>
      crypto.subtle.importKey(
        'raw',
        keyBytes(one, bodyOnly),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['verify'],
      ),
    ),
  )
}

function keyBytes(secret: unknown, bodyOnly: boolean): Bytes {
  if (typeof secret !== 'string' || secret === '') throw invalid('is missing')
  // A secret that was read from a file often ends with a line break.
  const text = secret.trim()
  const bytes = text.startsWith(PREFIX) ? decodeBase64(text.slice(PREFIX.length)) : undefined
  if (!bytes || bytes.length < KEY_BYTES_MIN) throw invalid('is not one')
  return bodyOnly ? new TextEncoder().encode(text) : bytes
}

/** The message never contains the secret. */
function invalid(fault: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'secret_invalid',
    `The webhook secret ${fault}. Pass the webhookSecret of your organization, which begins with whsec_; POST /organization/webhook-secret/rotate returns a new one.`,
  )
}

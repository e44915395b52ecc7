import { WebhookVerificationError } from './error.ts'

/** The headers of a request: `Headers`, Node's object, or a plain object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the value of a header, or undefined. A repeated header has its values joined. */
export function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  // A program without types may pass nothing.
  if (!headers) return undefined
  if (isHeaders(headers)) return headers.get(name)?.trim()
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name)
  const value = found === undefined ? undefined : headers[found]
  // Some servers set a header that is missing to null.
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? value.join(', ') : value.trim()
}

export function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = readHeader(headers, name)
  if (value) return value
  const hint =
    name !== 'x-service-signature' && readHeader(headers, 'x-service-signature')
      ? ' A proxy may have removed it. If you cannot change that, { bodyOnly: true } verifies X-Service-Signature, which covers neither the id nor the time.'
      : ' Pass all headers of the request.'
  throw new WebhookVerificationError('header_missing', `The header ${name} is missing.${hint}`)
}

/** A plain object can have a header that is called `get`, but not as a function. */
function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get' as never] === 'function'
}

import { badOption, type Settings } from './options.ts'
import type { ApiRequest } from './request.ts'

/** A request as `fetch` takes it. All attempts of a call send the same. */
export interface Prepared {
  readonly url: string
  readonly init: RequestInit
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/** Throws for an input that no request can carry, before anything is sent. */
export function prepare(
  settings: Settings,
  request: ApiRequest,
  idempotencyKey: string | null,
  headers: Readonly<Record<string, string>> | undefined,
): Prepared {
  return {
    url: urlOf(settings, request),
    init: {
      method: request.method,
      headers: headersOf(settings, request, idempotencyKey, headers),
      ...(request.body !== undefined && { body: toJson(request.body) }),
      // The key is for this gateway, and for no other host that a redirect names.
      redirect: 'manual',
      // Only a page has cookies, and a location. Some servers throw on the field.
      ...('location' in globalThis && {
        credentials: settings.apiKey === null ? 'same-origin' : 'omit',
      }),
    },
  }
}

function urlOf({ baseUrl }: Settings, { path, query }: ApiRequest): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) parameters.append(name, String(value))
  }
  const text = parameters.toString()
  return `${baseUrl}/api/v1${path}${text && `?${text}`}`
}

function headersOf(
  { apiKey }: Settings,
  { accept, body }: ApiRequest,
  idempotencyKey: string | null,
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = {
    accept: accept ?? 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
  }
  for (const [name, value] of Object.entries(headers)) {
    // `fetch` would join both values, so that a key of the caller would protect nothing.
    if (Object.hasOwn(own, name.toLowerCase())) {
      throw badOption(
        `The client sets the header \`${name}\` itself. Leave it out; \`apiKey\` and \`idempotencyKey\` are options.`,
      )
    }
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) {
      throw badOption(`The header \`${name}\` has a character that no header can have.`)
    }
  }
  return { ...headers, ...own }
}

function toJson(input: unknown): string {
  try {
    return JSON.stringify(input)
  } catch (error) {
    throw badOption(`The input cannot be written as JSON. ${(error as Error).message}`)
  }
}

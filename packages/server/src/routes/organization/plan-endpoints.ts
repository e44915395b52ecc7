import { type FieldError, invalidFields } from '../../base/errors.ts'
import type { EventKind } from '../../core/events/event.ts'
import { toUuid } from '../../core/id.ts'
import type { EndpointStatus, WebhookEndpoint } from '../../core/webhook-endpoint.ts'
import type { EndpointInput } from './webhook-endpoints.ts'

/** An endpoint as a request wants it. */
export interface PlannedEndpoint {
  /** Undefined for a new one. */
  readonly id: string | undefined
  readonly url: string
  readonly events: readonly EventKind[] | null
  /** Undefined leaves the status as it is. */
  readonly status: EndpointStatus | undefined
}

/** A request names either the first endpoint or the whole list. */
export function refuseBoth(body: Readonly<Record<string, unknown>>): void {
  if (body['webhookEndpoints'] === undefined) return
  const both = ['webhookUrl', 'webhookEvents'].filter((name) => body[name] !== undefined)
  if (both.length === 0) return
  throw invalidFields(
    both.map((name) => ({
      path: `/${name}`,
      code: 'not_allowed',
      message:
        'cannot be combined with webhookEndpoints, which contains the first endpoint; change it there, by its id',
    })),
  )
}

/** Compares the list of a request with the endpoints that exist. Throws for entries that fit none. */
export function planEndpoints(
  organizationId: string,
  endpoints: readonly WebhookEndpoint[],
  list: readonly EndpointInput[],
): PlannedEndpoint[] {
  const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const planned = list.map(({ id: publicId, url, events, status }) => {
    const id = publicId === undefined ? undefined : toUuid('whe', publicId)
    const before = id === undefined ? undefined : known.get(id)
    return { id, url: url ?? before?.url, events: events ?? before?.events ?? null, status }
  })
  const isKnown = (id: string): boolean => known.has(id) || id === organizationId
  const errors = planned.flatMap(({ id, url }, index) => {
    const earlier = planned.slice(0, index)
    const isRepeated = id !== undefined && earlier.some((other) => other.id === id)
    const isSameUrl = url !== undefined && earlier.some((other) => other.url === url)
    // One mistake for each entry: a wrong id would lead to a second, misleading one about its URL. The
    // first endpoint always has an id, also while it has no URL.
    if (id !== undefined && !isKnown(id)) return [errorAt(index, UNKNOWN)]
    if (isRepeated) return [errorAt(index, REPEATED)]
    if (url === undefined) return [errorAt(index, REQUIRED)]
    return isSameUrl ? [errorAt(index, SAME_URL)] : []
  })
  if (errors.length > 0) throw invalidFields(errors)
  return planned.map(({ url = '', ...endpoint }) => ({ ...endpoint, url }))
}

const UNKNOWN = [
  'id',
  'unknown',
  'is not the id of an endpoint; GET /organization lists the ids, and an entry without one creates an endpoint',
] as const
const REPEATED = [
  'id',
  'duplicate',
  'is the id of an earlier entry; list each endpoint once',
] as const
const REQUIRED = [
  'url',
  'required',
  'is required for a new endpoint; to keep an existing one, name its id',
] as const
const SAME_URL = [
  'url',
  'duplicate',
  'is the URL of an earlier entry; use one endpoint with the events of both',
] as const

function errorAt(
  index: number,
  [field, code, message]: readonly [field: string, code: string, message: string],
): FieldError {
  return { path: `/webhookEndpoints/${index}/${field}`, code, message }
}

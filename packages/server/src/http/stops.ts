import type { Stop } from '../storage/engine/connection-places.ts'

/** Which kind of stop a request with this body is, if it is one. */
export type Stops = (body: unknown) => Stop | undefined

/** Set on what stops something each time. */
export const alwaysStops: Stops = () => 'other'

/** Set on what stops something where this field of the body has one of these values. */
export function stopsWhere(field: string, values: readonly unknown[], stop: Stop = 'other'): Stops {
  return (body) => {
    const fields: Readonly<Record<string, unknown>> = { ...Object(body) }
    return values.includes(fields[field]) ? stop : undefined
  }
}

import type { Stop } from '../storage/engine/connection-places.ts'

/** Returns which kind of stop a request with this body is; undefined if it is not a stop. */
export type Stops = (body: unknown) => Stop | undefined

/** For endpoints that always stop something. */
export const alwaysStops: Stops = () => 'other'

/** For endpoints that stop something if this field of the body has one of these values. */
export function stopsWhere(field: string, values: readonly unknown[], stop: Stop = 'other'): Stops {
  return (body) => {
    const fields: Readonly<Record<string, unknown>> = { ...Object(body) }
    return values.includes(fields[field]) ? stop : undefined
  }
}

import type { Instant } from '../core/time/instant.ts'
import { refusedParameter } from '../errors.ts'

export interface Times {
  readonly from: Instant | undefined
  readonly to: Instant | undefined
}

/** From when to when a list is asked for. An end before the beginning is a mistake, not an empty list. */
export function readTimes(query: {
  readonly from: string | undefined
  readonly to: string | undefined
}): Times {
  const from = query.from === undefined ? undefined : Date.parse(query.from)
  const to = query.to === undefined ? undefined : Date.parse(query.to)
  if (from !== undefined && to !== undefined && to < from) {
    throw refusedParameter('to', 'must not be before from')
  }
  return { from, to }
}

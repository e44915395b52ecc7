import type { CountedWindow } from '../counters/buckets.ts'
import { EMPTY_COUNTER, type Sum, sumAt } from '../counters/counter.ts'
import { type Instant, LATEST } from '../time/instant.ts'
import type { Counted, Situation } from './verdict.ts'

/**
 * The key of a counter states everything about what is counted: for which mandate, over which
 * window, which spends. The last part is the group. Only the group may hold a slash, so two keys
 * with different meanings are never alike.
 */
export function counterKey(
  mandateId: string,
  window: CountedWindow,
  kind: string,
  scope: string,
  group: string,
): string {
  return `${mandateId}/${nameOf(window)}/${kind}/${scope}/${group}`
}

export function soFar({ key, layout }: Counted, { usage, now }: Situation): Sum {
  return sumAt(usage.counter(key) ?? EMPTY_COUNTER, layout, now)
}

/** The first instant at which the sum is small enough, if nothing else is added. */
export function whenLittleEnough(
  { key, layout }: Counted,
  { usage, now }: Situation,
  isLittleEnough: (sum: Sum) => boolean,
): Instant | undefined {
  const counter = usage.counter(key) ?? EMPTY_COUNTER
  let { count, amount } = sumAt(counter, layout, now)
  let at = now
  for (const bucket of counter.buckets) {
    if (isLittleEnough({ count, amount })) break
    if (bucket.start < layout.sinceAt(now)) continue
    count -= bucket.count
    amount -= bucket.amount
    at = layout.endOf(bucket.start)
  }
  return isLittleEnough({ count, amount }) && at < LATEST ? at : undefined
}

/** `60m` and `1h` are one window. */
function nameOf(window: CountedWindow): string {
  switch (window.kind) {
    case 'rolling':
      return `${window.ms}ms`
    case 'calendar':
      return window.unit
    case 'period':
    case 'always':
      return window.kind
  }
}

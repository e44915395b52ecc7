import type { CountedWindow } from '../counters/buckets.ts'
import { EMPTY_COUNTER, type Sum, sumAt } from '../counters/counter.ts'
import { type Instant, LATEST } from '../time/instant.ts'
import type { Counted, JudgedMandate, Origin, Situation } from './verdict.ts'

/** The name of a series of counters: its window and the spends that it counts. */
export function seriesName(window: CountedWindow, kind: string, scope: string): string {
  return `${nameOf(window)}/${kind}/${scope}`
}

/**
 * The prefix of the keys of a series; the group follows. So the key of a counter states everything
 * about its content: for which mandate, since when, over which window, which spends. Only the group
 * may contain a slash of its own, so two keys with different meanings are never equal.
 */
export function keyPrefix({ mandateId, origins }: KeyedMandate, series: string): string {
  const origin = origins[series]
  return `${origin ? pastKey(mandateId, origin) : mandateId}/${series}/`
}

type KeyedMandate = Pick<JudgedMandate, 'mandateId' | 'origins'>

/**
 * Names all counters that one version of a mandate added. As a key, it is the mark that their past
 * is still being counted. If a mandate loses a rule and gets it back, it starts new counters and
 * never reads those from before the loss.
 */
export function pastKey(mandateId: string, { since }: Pick<Origin, 'since'>): string {
  return `${mandateId}~${since}`
}

/** Whether the counter includes spends from before the mandate had it. */
export function knowsThePast(key: string): boolean {
  return key.slice(0, key.indexOf('/')).includes('~')
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

/** `60m` and `1h` are the same window. */
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

import type { Problem } from '../../base/errors.ts'
import { createTurns } from './turns.ts'

/**
 * How long something is trusted before the database is asked again. It is less than a second, so that
 * a change takes effect within one. One look-up per thing and second is nothing compared with the
 * requests that it serves.
 */
const FRESH_MS = 900
const KEPT_MAX = 10_000
/** What is absent is kept apart and few, so that made-up names cannot push out real ones. */
const ABSENT_MAX = 1_000
/**
 * Bounds the look-ups of what this process does not know. Anybody can make up as many names as they
 * like, and must not be able to keep the database busy with them. At some thousand look-ups a second,
 * a real one that is seen for the first time waits for less than a second.
 */
const UNKNOWN = { atOnce: 4, waitingMax: 1_000 }

/** What was known of a name before. */
export interface Before<Value> {
  readonly last: Value | undefined
  /** Whether it was looked for not long ago, and not found. */
  readonly wasAbsent: boolean
}

/** Things by name, asked for once in a while, and not for each request. */
export interface FreshMemory<Value> {
  /** Answers at once if the thing, or that there is none, is remembered, which is nearly always. */
  find(name: string): Value | undefined | Promise<Value | undefined>
  /** It was changed: the next one who looks asks the database. */
  forget(name: string): void
  forgetAll(): void
}

interface Entry<Value> {
  readonly value: Value | undefined
  readonly readAt: number
}

/**
 * What is absent is remembered too, so that somebody who keeps sending a wrong name does not cost a
 * query each time.
 */
export function createFreshMemory<Value>({
  read: readStored,
  tooMany,
  now,
}: {
  read(name: string, before: Before<Value>): Promise<Value | undefined>
  /** What is answered when too many come that were not seen before. */
  tooMany(): Problem
  now(): number
}): FreshMemory<Value> {
  const kept = new Map<string, Entry<Value>>()
  const absent = new Map<string, Entry<Value>>()
  const reading = new Map<string, Promise<Value | undefined>>()
  const turns = createTurns({ ...UNKNOWN, tooMany })
  // If something changes while an answer is on its way, that answer must not be kept.
  let changes = 0

  function keep(name: string, value: Value | undefined): void {
    const [map, most] = value === undefined ? [absent, ABSENT_MAX] : [kept, KEPT_MAX]
    kept.delete(name)
    if (map.size >= most) map.delete(map.keys().next().value ?? '')
    map.set(name, { value, readAt: now() })
  }

  async function read(name: string, before: Before<Value>): Promise<Value | undefined> {
    const seen = changes
    const value = await readStored(name, before)
    if (seen === changes) keep(name, value)
    return value
  }

  /** Those who look meanwhile wait for the same answer, unless a change is announced. */
  function readOnce(name: string, wasAbsent: boolean): Promise<Value | undefined> {
    const underWay = reading.get(name)
    if (underWay !== undefined) return underWay
    const last = kept.get(name)?.value
    const before = { last, wasAbsent }
    // What was good until just now never waits behind what is made up.
    const found = last === undefined ? turns.run(() => read(name, before)) : read(name, before)
    reading.set(name, found)
    const forget = (): void => {
      if (reading.get(name) === found) reading.delete(name)
    }
    found.then(forget, forget)
    return found
  }

  return {
    find(name) {
      const entry = kept.get(name) ?? absent.get(name)
      if (entry && now() - entry.readAt < FRESH_MS) return entry.value
      return readOnce(name, absent.delete(name))
    },
    forget(name) {
      changes += 1
      kept.delete(name)
      reading.delete(name)
    },
    forgetAll() {
      changes += 1
      kept.clear()
      absent.clear()
      reading.clear()
    },
  }
}

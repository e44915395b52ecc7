import type { Problem } from '../../base/errors.ts'
import { createTurns } from './turns.ts'

/**
 * How long an entry is trusted before it is read from the database again. It is less than a second,
 * so that a change takes effect within one. One lookup per entry and second is nothing compared
 * with the requests that it serves.
 */
const FRESH_MS = 900
const KEPT_MAX = 10_000
/** Absent names have a small memory of their own, so that made-up names cannot evict real ones. */
const ABSENT_MAX = 1_000
/**
 * Bounds the lookups of names that this process does not know. A client can make up any number of
 * names, and must not be able to keep the database busy with them. At some thousand lookups a
 * second, a real name that is seen for the first time waits less than a second.
 */
const UNKNOWN = { atOnce: 4, waitingMax: 1_000 }

/** The earlier knowledge about a name. */
export interface Before<Value> {
  readonly last: Value | undefined
  /** Whether a recent lookup did not find it. */
  readonly wasAbsent: boolean
}

/** A cache by name that reads each entry again once in a while, instead of for each request. */
export interface FreshMemory<Value> {
  /** Answers at once if the name is cached as present or absent, which is nearly always. */
  find(name: string): Value | undefined | Promise<Value | undefined>
  /** Drops a changed entry: the next lookup reads the database. */
  forget(name: string): void
  forgetAll(): void
}

interface Entry<Value> {
  readonly value: Value | undefined
  readonly readAt: number
}

/**
 * Caches absent names too, so that a client that keeps sending a wrong name does not cost a query
 * each time.
 */
export function createFreshMemory<Value>({
  read: readStored,
  tooMany,
  now,
}: {
  read(name: string, before: Before<Value>): Promise<Value | undefined>
  /** The error for too many lookups of unknown names. */
  tooMany(): Problem
  now(): number
}): FreshMemory<Value> {
  const kept = new Map<string, Entry<Value>>()
  const absent = new Map<string, Entry<Value>>()
  const reading = new Map<string, Promise<Value | undefined>>()
  const turns = createTurns({ ...UNKNOWN, tooMany })
  // If something changes while a read is in progress, its result must not be cached.
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

  /** Concurrent lookups wait for the same read, unless a change is announced. */
  function readOnce(name: string, wasAbsent: boolean): Promise<Value | undefined> {
    const underWay = reading.get(name)
    if (underWay !== undefined) return underWay
    const last = kept.get(name)?.value
    const before = { last, wasAbsent }
    // A name that was valid a moment ago never waits behind made-up names.
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

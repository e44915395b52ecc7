import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { busy, unavailable } from '../../src/storage/engine/storage-error.ts'
import type { AttemptEnd } from '../../src/storage/webhooks/attempts.ts'
import {
  type Completion,
  createJoinedCompletion,
  createSeparateCompletion,
} from '../../src/webhooks/attempt-ends.ts'
import { silentLog } from '../support/silent-log.ts'

/* How often ends are written, and with which others: in memory, the test being the database. */

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const anEnd = (attemptId: string) => ({ attemptId }) as AttemptEnd

/** A write, such as `acme:1,2 globex:3`. */
type Write = string
type Store = (ends: ReadonlyMap<string, readonly AttemptEnd[]>) => Promise<void>

/** Stores unless `fault` has an error for a write. */
function aDatabase(fault: (write: Write) => Error | undefined) {
  const writes: Write[] = []
  const store: Store = async (ends) => {
    const groups = [...ends].map(
      ([organization, group]) => `${organization}:${group.map((end) => end.attemptId).join(',')}`,
    )
    const write = groups.join(' ')
    writes.push(write)
    const error = fault(write)
    if (error) throw error
  }
  return { writes, parts: { store, log: silentLog } }
}

const LOCKED = busy(Object.assign(new Error('lock timeout'), { code: '55P03' }))
const AWAY = unavailable(new Error('Connection terminated'))
const BROKEN = new Error('A constraint is violated.')

const addAll = (completion: Completion, ...ends: readonly (readonly [string, string])[]) =>
  ends.map(([organization, id]) => completion.add(organization, anEnd(id)))

/** Lets time pass until the ends are stored or given up. */
const inTime = async (added: readonly (Promise<void> | undefined)[]): Promise<void> => {
  await vi.runAllTimersAsync()
  await Promise.all(added)
}

test('ends of all organizations are written together', async () => {
  const { writes, parts } = aDatabase(() => undefined)
  const completion = createJoinedCompletion(parts)
  await Promise.all(addAll(completion, ['acme', '1'], ['globex', '2'], ['acme', '3']))
  expect(writes).toEqual(['acme:1,3 globex:2'])
})

test('ends that come during a write are in the next one', async () => {
  const { writes, parts } = aDatabase(() => undefined)
  const completion = createJoinedCompletion(parts)
  const [first] = addAll(completion, ['acme', '1'])
  await Promise.resolve()
  await Promise.all([first, ...addAll(completion, ['acme', '2'], ['globex', '3'])])
  expect(writes).toEqual(['acme:1', 'acme:2 globex:3'])
})

test('a database that is away gets the same write again', async () => {
  let left = 1
  const { writes, parts } = aDatabase(() => (left-- > 0 ? AWAY : undefined))
  const completion = createJoinedCompletion(parts)
  await inTime(addAll(completion, ['acme', '1'], ['globex', '2']))
  expect(writes).toEqual(['acme:1 globex:2', 'acme:1 globex:2'])
})

test('a lock of one organization holds up no other', async () => {
  let isLocked = true
  const { writes, parts } = aDatabase((write) =>
    isLocked && write.includes('acme') ? LOCKED : undefined,
  )
  const completion = createJoinedCompletion(parts)
  const [acme, globex] = addAll(completion, ['acme', '1'], ['globex', '2'])
  await globex
  const [later, other] = addAll(completion, ['acme', '3'], ['globex', '4'])
  await other
  expect(writes).toEqual(['acme:1 globex:2', 'acme:1', 'globex:2', 'globex:4'])
  isLocked = false
  await inTime([acme, later])
  expect(writes.slice(4)).toEqual(['acme:1', 'acme:3'])
})

test('a lock delays ends that are added during the refused write no second time', async () => {
  const { writes, parts } = aDatabase((write) => (write.includes('acme') ? LOCKED : undefined))
  let refuse = (): void => {}
  const lockTimeout = new Promise<void>((resolve) => {
    refuse = resolve
  })
  const { store } = parts
  const completion = createJoinedCompletion({
    ...parts,
    store: async (ends) => {
      if (writes.length === 0) await lockTimeout
      return store(ends)
    },
  })
  addAll(completion, ['acme', '1'])
  await vi.advanceTimersByTimeAsync(0)
  const [, globex] = addAll(completion, ['acme', '2'], ['globex', '3'])
  refuse()
  await globex
  expect(writes.filter((write) => write.includes('globex'))).toEqual(['globex:3'])
  completion.stop()
})

test('a lock is waited for, however long it takes', async () => {
  let left = 4
  const { writes, parts } = aDatabase(() => (left-- > 0 ? LOCKED : undefined))
  await inTime(addAll(createSeparateCompletion(parts), ['acme', '1']))
  expect(writes).toHaveLength(5)
})

test('ends that the database never accepts are given up after the third try', async () => {
  const { writes, parts } = aDatabase(() => BROKEN)
  await inTime(addAll(createSeparateCompletion(parts), ['acme', '1']))
  expect(writes).toHaveLength(3)
})

test.each([
  ['joined', createJoinedCompletion],
  ['separate', createSeparateCompletion],
])('a process that stops tries three times more (%s)', async (_name, create) => {
  const { writes, parts } = aDatabase(() => AWAY)
  const completion = create(parts)
  const added = addAll(completion, ['acme', '1'])
  await vi.advanceTimersByTimeAsync(2_500)
  expect(writes).toHaveLength(3)
  completion.stop()
  await inTime(added)
  expect(writes).toHaveLength(6)
})

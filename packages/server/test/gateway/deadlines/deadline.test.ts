import { AssertionError } from 'node:assert'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '../../../src/base/errors.ts'
import { startDeadline } from '../../../src/gateway/deadlines/deadline.ts'
import { type Decided, type Submission, toDecisionRow } from '../../../src/gateway/submission.ts'
import { createDesk, NOON, someSpend } from '../../core/desk.ts'
import { DAY_MS } from '../../support/builders.ts'

const WITHIN_MS = 1_000
const submission: Submission = {
  spend: someSpend({ holdMs: 60_000 }),
  reason: null,
  metadata: null,
  idempotency: null,
  receivedAt: 0,
}
const DECLINED = { decision: 'rejected', code: 'deadline_passed' }

/** What the caller has been told by now. */
function toldBy(answer: Promise<Decided>): Promise<unknown> {
  const silence = new Promise((resolve) => setImmediate(() => resolve('nothing')))
  return Promise.race([answer.catch((error: unknown) => error), silence])
}

describe('a deadline', () => {
  let now = 0
  beforeEach(() => {
    now = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.spyOn(performance, 'now').mockImplementation(() => now)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  const begin = (withinMs = WITHIN_MS) => startDeadline(submission, now + withinMs, () => NOON)
  /** The process stands still, and no timer runs. */
  const standStill = (ms: number) => {
    now += ms
  }
  const wait = (ms: number) => {
    standStill(ms)
    vi.advanceTimersByTime(ms)
  }
  function anApproval(): Decided {
    const row = toDecisionRow(submission, createDesk({}).ask(submission.spend), null)
    return { ...row, isReplay: false }
  }

  test('is met by a decision just before it, which stands afterwards', async () => {
    const { deadline, answer } = begin()
    const approval = anApproval()
    wait(WITHIN_MS - 1)
    expect(deadline.hasPassed()).toBe(false)
    expect(await toldBy(answer)).toBe('nothing')
    expect(deadline.accept(approval)).toBe(true)
    wait(WITHIN_MS)
    deadline.fail(new Error('The database is gone.'))
    expect(await toldBy(answer)).toBe(approval)
    expect(deadline.hasPassed()).toBe(false)
    expect(deadline.accept(approval)).toBe(true)
  })

  test('declines by its timer, and no approval is accepted afterwards', async () => {
    const { deadline, answer } = begin()
    wait(WITHIN_MS)
    expect(await toldBy(answer)).toMatchObject({ ...DECLINED, late: 'slow' })
    expect(deadline.hasPassed()).toBe(true)
    expect(deadline.accept(anApproval())).toBe(false)
  })

  test('declines an approval that comes when it is over, before its timer runs', async () => {
    const { deadline, answer } = begin()
    standStill(WITHIN_MS)
    expect(deadline.hasPassed()).toBe(true)
    expect(deadline.accept(anApproval())).toBe(false)
    expect(await toldBy(answer)).toMatchObject(DECLINED)
  })

  test('is over once it has declined, even if there is time left', async () => {
    const { deadline, answer } = begin()
    const first = deadline.decline()
    expect(deadline.hasPassed()).toBe(true)
    expect(deadline.decline()).toBe(first)
    expect(await toldBy(answer)).toEqual({ ...first.row, late: 'slow' })
  })

  test('tells whether the database was away at the last attempt', async () => {
    const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const away = new Problem('storage_unavailable', 'Away.', { cause: lost })
    const busy = new Problem('storage_unavailable', 'Busy.', {
      cause: Object.assign(new Error('out of memory'), { code: '53200' }),
    })
    for (const [errors, late] of [
      [[away], 'away'],
      [[away, busy], 'slow'],
    ] as const) {
      const { deadline, answer } = begin()
      for (const error of errors) deadline.note(error)
      wait(WITHIN_MS)
      expect(await toldBy(answer)).toMatchObject({ ...DECLINED, late })
    }
  })

  test('passes an error on, if there is no answer yet', async () => {
    const { deadline, answer } = begin()
    deadline.fail(new Error('The spend is refused.'))
    wait(WITHIN_MS)
    expect(await toldBy(answer)).toEqual(new Error('The spend is refused.'))
  })

  test('is at most a day away', () => {
    expect(() => begin(DAY_MS + 1)).toThrow(AssertionError)
    const { deadline } = begin(DAY_MS)
    expect(deadline.hasPassed()).toBe(false)
  })
})

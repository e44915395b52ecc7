import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/base/log/create-log.ts'
import { createRepeats } from '../../src/base/log/repeats.ts'
import { unavailable } from '../../src/storage/engine/storage-error.ts'
import { waitUntil } from '../support/wait-until.ts'

function logged(level = 'info') {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => {
    lines.push(JSON.parse(line))
  }
  return { ...createLog({ level, isProse: false }, { write }), lines }
}

describe('an error in the log', () => {
  test('is its type, message and code, with those of its cause and without a stack', () => {
    const { log, lines } = logged()
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    log.error({ err: new Error('It failed.', { cause }) }, 'Round failed.')
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'Round failed.',
        err: { type: 'Error', message: 'It failed.: read ECONNRESET' },
      }),
    ])
  })

  test('leaves out what a library has hung onto it', () => {
    const { log, lines } = logged('trace')
    const error = Object.assign(new TypeError('Invalid URL'), {
      code: 'ERR_INVALID_URL',
      input: 'postgres://user:password@host',
      client: { password: 'password' },
    })
    log.error({ err: error }, 'Round failed.')
    expect(Object.keys(Object(lines[0]?.['err']))).toEqual(['type', 'message', 'code', 'stack'])
  })

  test('has its stack, and comes each time, at the levels for finding defects', () => {
    const { log, lines } = logged('debug')
    for (let round = 0; round < 3; round++) log.error({ err: new Error('No.') }, 'Round failed.')
    log.error({ err: unavailable(new Error('gone')) }, 'Round failed.')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining('create-log.test') } })
  })
})

describe('an error that comes again and again', () => {
  test('is two lines: the first, and how often it came again', async () => {
    const { log, lines, stop } = logged()
    for (let request = 0; request < 1_000; request++) {
      log.error({ err: new Error('No.'), requestId: `req_${request}` }, 'A defect.')
    }
    expect(lines).toEqual([expect.objectContaining({ msg: 'A defect.', requestId: 'req_0' })])
    await stop()
    expect(lines.slice(1)).toEqual([
      expect.objectContaining({ msg: 'A defect.', requestId: 'req_999', repeated: 999 }),
    ])
  })

  test('is told apart from another error, and from one about something else', () => {
    const { log, lines } = logged()
    log.error({ err: new Error('No.') }, 'A defect.')
    log.error({ err: new Error('Never.') }, 'A defect.')
    log.warn({ err: new Error('No.'), transactionId: 'txn_1' }, 'Not booked.')
    log.warn({ err: new Error('No.'), transactionId: 'txn_2' }, 'Not booked.')
    expect(lines).toHaveLength(4)
  })

  test('is told once more when its window ends, without anybody asking', async () => {
    const repeats = createRepeats(1)
    const told: number[] = []
    const line = { key: 'same', write: (repeated: number) => told.push(repeated) }
    expect(repeats.count(line)).toBe(false)
    // No timer runs before this test waits.
    expect(repeats.count(line)).toBe(true)
    await waitUntil(() => told.length > 0)
    expect(told).toEqual([1])
    repeats.tell()
  })

  test('is never taken for a line without an error, however often that comes', () => {
    const { log, lines } = logged()
    for (let round = 0; round < 3; round++) log.warn({ network: 'a' }, 'No node.')
    expect(lines).toHaveLength(3)
  })

  test('makes room for others: of many at once the oldest are told early', () => {
    const { log, lines } = logged()
    for (const number of [0, 0, ...Array.from({ length: 200 }, (_, index) => index + 1)]) {
      log.error({ err: new Error(`No. ${number}`) }, 'A defect.')
    }
    expect(lines).toHaveLength(202)
    expect(lines.filter(({ repeated }) => repeated === 1)).toHaveLength(1)
  })
})

describe('a failure of the database, which is told by whoever watches it', () => {
  test('is not told by what follows from it', () => {
    const { log, lines } = logged()
    const err = unavailable(new Error('read ECONNRESET'))
    log.error({ err, organizationId: 'org_1' }, 'Holds could not be looked for.')
    expect(lines).toEqual([])
  })

  test('is told where a line names what somebody may have to look after', () => {
    const { log, lines } = logged()
    const err = unavailable(new Error('read ECONNRESET'))
    log.error({ err, organizationId: 'org_1', transactionId: 'txn_1' }, 'It is given up.')
    expect(lines).toEqual([expect.objectContaining({ transactionId: 'txn_1' })])
  })
})

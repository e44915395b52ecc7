import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/base/log/create-log.ts'
import { logEvent } from '../../src/base/log/log-event.ts'
import { createProse } from '../../src/base/log/prose.ts'
import { readConfig } from '../../src/process/config.ts'

function proseOf(level: string, tell: (log: ReturnType<typeof createLog>['log']) => void): string {
  let text = ''
  const stream = createProse((more) => {
    text += more
  })
  tell(createLog({ level, isProse: true }, stream).log)
  return text
}

describe('the log on a terminal', () => {
  test('is one line of prose: when, how bad, what, why and what it is about', () => {
    const err = new Error('It is locked.', { cause: new Error('lock timeout') })
    const text = proseOf('info', (log) =>
      log.warn({ err, organizationId: 'org_1', name: 'My agent', count: 3 }, 'Tried again.'),
    )
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d warn {2}Tried again\. {2}\(It is locked\.: lock timeout\) {2}organizationId=org_1 {2}name="My agent" {2}count=3 {2}\[http\.framework\]\n$/,
    )
  })

  test('ends with the event of a warning, which docs/log-events.md explains', () => {
    const text = proseOf('info', (log) => {
      logEvent(log, 'storage.disk_check_failed', { err: new Error('No.') })
      logEvent(log, 'storage.recovered', { seconds: 3 })
    })
    expect(text).toMatch(/retrying in 1 s\. {2}\(No\.\) {2}\[storage\.disk_check_failed\]\n/)
    expect(text).toMatch(/The database answers again\. {2}seconds=3\n$/)
  })

  test('has the calls below the line at the level debug', () => {
    const text = proseOf('debug', (log) => log.error({ err: new Error('No.') }, 'A defect.'))
    const [first, second] = text.split('\n')
    expect(first).toMatch(/error A defect\. {2}\(No\.\) {2}\[http\.framework\]$/)
    expect(second).toMatch(/^ {4}at .*prose\.test/)
  })

  test('shows marks that would move the cursor, turn the text or begin a line', () => {
    const text = proseOf('info', (log) =>
      log.info({ name: 'a\u001b[2J\u202eb\u009b' }, 'First.\nSecond.'),
    )
    expect(text).toMatch(/First\.\\u\{a\}Second\. {2}name=a\\u\{1b\}\[2J\\u\{202e\}b\\u\{9b\}\n$/)
  })

  test('is chosen where a person reads it, and is JSON elsewhere', () => {
    expect(readConfig({}, { isTerminal: true }).log.isProse).toBe(true)
    expect(readConfig({}).log.isProse).toBe(false)
  })
})

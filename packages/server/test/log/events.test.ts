import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { logEvent } from '../../src/base/log/log-event.ts'
import { PATHS } from '../../src/paths/index.ts'
import { listLogEvents } from '../../src/paths/path.ts'
import { recordLog } from '../support/recorded-log.ts'

const SRC = join(import.meta.dirname, '../../src')
const CATALOGUE = /^base\/log\/|\/log-events\.ts$/
const DIRECT_CALL = /\b([lL]og(ger)?|console)\??\.(log|trace|debug|info|warn|error|fatal)\(/

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !CATALOGUE.test(file))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))
// A line that the HTTP framework writes gets its event from the log itself.
const WRITTEN_BY_THE_LOG = ['http.framework']

const events = listLogEvents(PATHS)

describe('every line of the log', () => {
  test('is written by logEvent, and so has a declared event', () => {
    const direct = sources.filter(({ text }) => DIRECT_CALL.test(text)).map(({ file }) => file)
    expect(direct).toEqual([])
  })

  test('has its event as a field, and the values of its fields in the message', () => {
    const { log, lines } = recordLog()
    logEvent(log, 'process.setting_unknown', { name: 'PURSER_PROT', hint: 'Look again.' })
    expect(lines).toEqual([
      expect.objectContaining({
        event: 'process.setting_unknown',
        level: 40,
        name: 'PURSER_PROT',
        msg: 'PURSER_PROT is not a setting; starting without it. Look again.',
      }),
    ])
  })
})

describe('a log event', () => {
  test('is written somewhere', () => {
    const text = sources.map((source) => source.text).join('\n')
    const unused = events.map(({ code }) => code).filter((code) => !text.includes(`'${code}'`))
    expect(unused).toEqual(WRITTEN_BY_THE_LOG)
  })

  test('has a code of its own: an area, and what happened', () => {
    const codes = events.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)])
    for (const code of codes) expect(code).toMatch(/^[a-z0-9]+\.[a-z0-9]+(_[a-z0-9]+)*$/)
  })

  test.each(events)('says in sentences what $code means and what to do', (event) => {
    expect(event.message).toMatch(/^[A-Z{].*([.:)}])$/)
    expect(event.meaning).toMatch(/^[A-Z`].*\.$/)
    expect(event.action).toMatch(/^[A-Z].*\.$/)
  })
})

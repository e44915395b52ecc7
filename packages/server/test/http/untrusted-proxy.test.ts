import { type Logger, pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'

const FORWARDED = { 'x-forwarded-for': '203.0.113.9' }

describe('X-Forwarded-For from a peer that is not trusted', () => {
  let app: TestApp | undefined
  afterEach(() => app?.stop())

  /** An app whose warnings are kept, and the same request through it twice. */
  async function warningsOf(
    change: Parameters<typeof createTestApp>[1],
    headers: Record<string, string> = FORWARDED,
  ): Promise<readonly { readonly msg: string; readonly peer?: string }[]> {
    const lines: string[] = []
    const log: Logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
    app = await createTestApp(usualEngine(), change, log)
    const acme = await app.organization()
    await acme.get('/organization', headers)
    await acme.get('/agents', headers)
    return lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg.includes('X-Forwarded-For'))
  }

  test('is warned of once in production, and the warning names the setting', async () => {
    const warnings = await warningsOf({ environment: 'production' })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.msg).toContain('PURSER_TRUSTED_PROXIES')
    expect(warnings[0]?.peer).toBe('127.0.0.1')
  })

  test('is not warned of where the setting names the peer', async () => {
    const trustedProxies = ['127.0.0.0/8']
    expect(await warningsOf({ environment: 'production', trustedProxies })).toEqual([])
  })

  test('is not warned of where nobody sends the header, or in development', async () => {
    expect(await warningsOf({ environment: 'production' }, {})).toEqual([])
    await app?.stop()
    expect(await warningsOf({})).toEqual([])
  })
})

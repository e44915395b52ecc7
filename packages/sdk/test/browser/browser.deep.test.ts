import { join } from 'node:path'
import { build } from 'esbuild'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { sealAll } from '../../../server/test/support/audit-log.ts'
import { anActiveMandate } from '../../../server/test/support/builders.ts'
import { aMember } from '../../../server/test/support/people.ts'
import { evaluate } from '../../../server/test/support/spends.ts'
import { findChromium } from '../support/find-chromium.ts'
import { type PageServer, startPageServer } from '../support/page-server.ts'
import { BODY, newSecret, signedHeaders } from '../webhooks/signed-request.ts'
import type { PageFunctions } from './page.ts'

const executablePath = findChromium()
if (executablePath === undefined) {
  console.info('No Chromium is on this machine, so the tests in a browser are skipped.')
}

/** Bundles the script of the page from the sources of the package, as a browser loads it. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', target: 'es2023' },
    ...{ conditions: ['@purser/source'], logLevel: 'error' },
  })
  return outputFiles[0]?.text ?? ''
}

type PageValue = string | Record<string, string>

/** Runs in the browser. */
async function run({ name, values }: { name: string; values: PageValue[] }): Promise<unknown> {
  const functions = globalThis as unknown as Record<string, (...all: PageValue[]) => unknown>
  return functions[name]?.(...values)
}

async function launch() {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Chromium refuses to start its sandbox for root. The page is our own.
    chromiumSandbox: process.getuid?.() !== 0,
  })
}

describe.skipIf(executablePath === undefined)('a page in Chromium', () => {
  let app: TestApp
  let server: PageServer
  let browser: Awaited<ReturnType<typeof launch>>

  beforeAll(async () => {
    app = await createTestApp()
    const gatewayUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
    server = await startPageServer(gatewayUrl, await bundlePage())
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    await app?.stop()
  })

  /** Opens the page. When the test ends, it must have called no other origin and have no error. */
  async function openPage(cookie = '') {
    const context: BrowserContext = await browser.newContext()
    const [name = '', value = ''] = cookie.split('=')
    if (cookie !== '') await context.addCookies([{ name, value, url: server.origin }])
    const page = await context.newPage()
    const urls: string[] = []
    const errors: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    page.on('pageerror', (error) => errors.push(String(error)))
    onTestFinished(async () => {
      await context.close()
      expect(urls.length).toBeGreaterThan(1)
      expect(urls.filter((url) => new URL(url).origin !== server.origin)).toEqual([])
      expect(errors).toEqual([])
    })
    await page.goto(server.origin)
    return page
  }

  /** Calls a function of the page's script. */
  function call<Name extends keyof PageFunctions>(
    page: Page,
    name: Name,
    ...parameters: Parameters<PageFunctions[Name]>
  ) {
    const values: PageValue[] = parameters
    return page.evaluate(run, { name, values }) as ReturnType<PageFunctions[Name]>
  }

  async function aMemberOf(owner: Owner) {
    return aMember(app, owner, { role: 'admin' })
  }

  test('spends, lists, exports and streams with an API key', async () => {
    const acme = await app.organization()
    const page = await openPage()
    const answer = await call(page, 'spendWithKey', acme.apiKey)
    expect(answer).toMatchObject({ status: 'active', decisions: ['approved', 'approved'] })
    expect(answer.requestId).not.toBeNull()
    expect(answer.streamed).toEqual(answer.spends)
    expect(answer.listed).toEqual(answer.spends.toReversed())
    expect(answer.exported).toEqual(answer.spends.toReversed())
  })

  test('gets errors of their classes', async () => {
    const acme = await app.organization()
    const page = await openPage()
    expect(await call(page, 'failWithKey', acme.apiKey)).toEqual([
      { isOfItsClass: true, code: 'agent_not_found' },
      { isOfItsClass: true, code: 'validation_failed' },
      { isOfItsClass: true, code: 'no_active_mandate' },
    ])
  })

  test('reads and changes with the session of a member, at the origin of the page', async () => {
    const acme = await app.organization('Members only')
    const { cookie } = await aMemberOf(acme)
    const page = await openPage(cookie)
    expect(await call(page, 'readWithSession')).toBe('Members only')
    expect(await call(page, 'changeWithSession')).toBe('By a member')
    expect(server.passedOn.slice(-2)).toEqual([
      { request: 'GET /api/v1/organization', cookie },
      { request: 'POST /api/v1/agents', cookie },
    ])
  })

  test('is refused without a session', async () => {
    const page = await openPage()
    await expect(call(page, 'readWithSession')).rejects.toThrow('AuthenticationError')
  })

  test('sends no session cookie with an API key', async () => {
    const acme = await app.organization('Of the key')
    const { cookie } = await aMemberOf(await app.organization('Of the member'))
    const page = await openPage(cookie)
    const before = server.passedOn.length
    await call(page, 'failWithKey', acme.apiKey)
    const sent = server.passedOn.slice(before)
    expect(sent).toHaveLength(4)
    expect(sent.filter((it) => it.cookie !== undefined)).toEqual([])
  })

  test('verifies a webhook', async () => {
    const secret = newSecret()
    const page = await openPage()
    expect(await call(page, 'verify', BODY, signedHeaders(secret), secret)).toEqual({
      event: 'mandate.budget.warning',
      refusal: 'signature_mismatch',
    })
  })

  test('verifies the receipt of a decision', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 5 })
    await sealAll(app)
    const page = await openPage()
    expect(await call(page, 'prove', acme.apiKey, transactionId)).toEqual({
      status: 'settled',
      refusal: 'decision_mismatch',
    })
  })
})

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { findChromium } from '../../packages/sdk/test/support/find-chromium.ts'

export const executablePath = findChromium()

/** A busy machine is slow, and that is no fault. While you write a test, a short limit says more. */
const TIMEOUT_MS = Number(process.env['E2E_TIMEOUT_MS'] ?? 120_000)

/** One browser for all files of a worker. It ends with the worker. */
let launched: Promise<Browser> | undefined

function launch(): Promise<Browser> {
  launched ??= chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Chromium refuses to start its sandbox for root. The page is our own.
    chromiumSandbox: process.getuid?.() !== 0,
  })
  return launched
}

export interface OpenOptions {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  readonly timezone?: string
  /** `name=value` of a session's cookie. */
  readonly cookie?: string
  /** Answers of the gateway that the test expects to fail, such as a 403. */
  readonly mayFail?: RegExp
  readonly reducedMotion?: 'reduce'
  /** A different way to the same gateway, such as its IP address or a proxy. */
  readonly origin?: string
}

/**
 * Opens a page in a context of its own. When the test ends, the page must have called no other
 * origin, broken no rule of the content security policy, and thrown no error.
 */
export async function openPage(origin: string, options: OpenOptions = {}): Promise<Page> {
  const browser = await launch()
  const { width = 1440, height = 900, theme = 'light', timezone, cookie = '' } = options
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    ...(timezone !== undefined && { timezoneId: timezone }),
    ...(options.reducedMotion && { reducedMotion: options.reducedMotion }),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const [name = '', value = ''] = cookie.split('=')
  if (cookie !== '') await context.addCookies([{ name, value, url: origin }])
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (/^https?:$/.test(protocol) && asked !== origin) faults.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const isPolicy = /Content Security Policy|Trusted Type/i.test(message.text())
    if (isPolicy) faults.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  return page
}

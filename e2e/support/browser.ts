import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { findChromium } from '../../packages/sdk/test/support/find-chromium.ts'

export const executablePath = findChromium()

/** A busy machine is slow, and that is no fault. While you write a test, a short limit says more. */
const TIMEOUT_MS = Number(process.env['E2E_TIMEOUT_MS'] ?? 300_000)

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
  readonly reducedMotion?: 'reduce'
  /** A different way to the same gateway, such as its IP address or a proxy. */
  readonly origin?: string
}

/** A page that notes what it must not do: call a different origin, break the policy, or throw. */
export interface WatchedPage {
  readonly page: Page
  /** Fails with the faults since the last check. */
  check(): void
  close(): Promise<void>
}

/** Opens a page in a context of its own. The test ends it, and checks it then. */
export async function openPage(origin: string, options: OpenOptions = {}): Promise<Page> {
  const { page, check, close } = await openWatchedPage(origin, options)
  onTestFinished(async () => {
    await close()
    check()
  })
  return page
}

export async function openWatchedPage(origin: string, options: OpenOptions): Promise<WatchedPage> {
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
  if (cookie !== '') await setCookie(context, origin, cookie)
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
  return {
    page,
    check: () => expect(faults.splice(0)).toEqual([]),
    close: () => context.close(),
  }
}

export async function setCookie(
  context: BrowserContext,
  origin: string,
  cookie: string,
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: origin }])
}

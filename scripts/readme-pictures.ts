import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../packages/sdk/test/support/find-chromium.ts'
import { startDemo } from '../packages/server/src/demo/run.ts'

const FOLDER = join(import.meta.dirname, '../docs/console')
const THEMES = ['light', 'dark'] as const
const SIZE = { width: 1440, height: 900 }
const SCALE = 1.5
const QUALITY = 0.75

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Opens each page of the README as a visitor would, and waits for its content. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async overview(page) {
    await page.getByText(/^Live/).first().waitFor()
    await page
      .getByRole('link', { name: /scandichotels/ })
      .first()
      .waitFor()
  },
  async why(page) {
    await page.goto('/transactions?decision=rejected&live=off')
    await page.getByRole('row').nth(3).getByRole('link').first().click()
    await page.getByRole('complementary', { name: /^Why/ }).waitFor()
  },
  async editor(page) {
    await page.goto('/mandates?status=active')
    await page.getByRole('link', { name: 'Travel booker' }).first().click()
    await page.getByRole('link', { name: /^Edit/ }).click()
    await page.getByRole('region', { name: 'Would this be approved?' }).waitFor()
  },
  async approval(page) {
    await page.goto('/approvals')
    await page.getByRole('main').getByRole('link').first().click()
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .waitFor()
  },
}

/** `npm run pictures`: takes the README's pictures of the console, from a demo made for it. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-pictures-'))
  const options = { dataDir: join(folder, 'demo'), port: 0, still: true }
  const demo = await startDemo({}, options, (text) => console.log(text))
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    // Chromium refuses to start its sandbox for root. The page is our own.
    chromiumSandbox: process.getuid?.() !== 0,
  })
  try {
    mkdirSync(FOLDER, { recursive: true })
    const cookies = await signIn(browser, demo.signInUrl)
    for (const theme of THEMES) await takePictures(browser, demo.url, cookies, theme)
  } finally {
    await browser.close()
    await demo.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function takePictures(
  browser: Browser,
  baseURL: string,
  cookies: Cookies,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const context = await browser.newContext({
    ...{ viewport: SIZE, deviceScaleFactor: SCALE, reducedMotion: 'reduce' },
    ...{ colorScheme, baseURL, storageState: { cookies, origins: [] } },
  })
  const page = await context.newPage()
  for (const [name, open] of Object.entries(PICTURES)) {
    await page.goto('/')
    await open(page)
    await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    const picture = await toWebp(browser, await page.screenshot())
    writeFileSync(join(FOLDER, `${name}-${colorScheme}.webp`), picture)
    console.log(`${name}, ${colorScheme}: ${Math.round(picture.length / 1000)} kB`)
  }
  await context.close()
}

/** The demo's link works once, so all pages share its session. */
async function signIn(browser: Browser, url: string): Promise<Cookies> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** A WebP is a quarter of the size of a PNG. Playwright cannot write one, but the browser can. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const source = `data:image/png;base64,${png.toString('base64')}`
  const url = await page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = '${source}'
    await image.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', ${QUALITY})
  })()`)
  await page.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

await main()

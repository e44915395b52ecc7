import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../../../sdk/test/support/find-chromium.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { aMember, PASSWORD } from '../support/people.ts'

const executablePath = findChromium()
const ROOT = join(import.meta.dirname, '../../../..')

// `npm run test:e2e` has the tests of every page.
describe.skipIf(executablePath === undefined)('the console in a browser', () => {
  let app: TestApp
  beforeAll(async () => {
    // Builds the console only if its sources changed since the last build.
    const build = [join(ROOT, 'scripts/build.mjs'), 'console']
    expect(spawnSync(process.execPath, build, { stdio: 'inherit' }).status).toBe(0)
    app = await createTestApp(undefined, { consoleFolder: join(ROOT, 'packages/server/console') })
  })
  afterAll(() => app?.stop())

  test('opens, signs a member in, and shows the overview', async () => {
    const ada = await aMember(app, await app.organization('Meridian Labs'))
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      chromiumSandbox: process.getuid?.() !== 0,
    })
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(180_000)
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.goto(address.replace('127.0.0.1', 'localhost'))
      await page.getByLabel('E-mail').fill(ada.email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('navigation', { name: 'Screens' }).waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(errors).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

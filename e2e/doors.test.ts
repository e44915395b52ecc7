import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { executablePath } from './support/browser.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { keepPicture } from './support/screenshots.ts'

describe.skipIf(executablePath === undefined)('the doors', () => {
  let app: ConsoleApp
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.stop())

  test('lead a stranger to sign in, and then to the page that was asked for', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const page = await app.open('/agents?status=paused')
    await page.waitForURL(/\/sign-in\?next=/)
    await expectAccessible(page)
    await keepPicture(page, 'sign-in')
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('E-mail or password is not right.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/agents\?status=paused/)
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
  })

  test('never lead to a different site', async () => {
    const owner = await app.organization()
    const ada = await app.member(owner)
    const page = await app.open('/sign-in?next=//evil.example/path')
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${app.origin}/`)
  })

  test('show the not-found page with the status 404', async () => {
    const page = await app.open('/')
    const response = await page.goto(`${app.origin}/no-such-page`)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page.' }).waitFor()
  })
})

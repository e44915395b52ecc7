import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser, PASSWORD } from '../packages/server/test/support/people.ts'
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

  test('say by themselves that a session has ended, and keep the page', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const other = aBrowser(app)
    const credentials = { email: ada.email, password: PASSWORD }
    expect((await other.post('/console/api/sign-in', credentials)).status).toBe(200)
    const page = await app.open('/settings/me', ada)
    await page.getByLabel('Name', { exact: true }).fill('Ada of Meridian')
    await page.getByText(/used/).first().waitFor()
    // No one presses anything in the page from here on.
    expect((await other.delete('/console/api/sessions')).status).toBe(200)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada of Meridian')
  })

  test('let a set-up link that has ended give way to a field, and keep the form', async () => {
    await app.member(await app.organization('Meridian Labs'))
    const page = await app.open(`/setup#${'a'.repeat(43)}`, undefined)
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Your e-mail').fill('ada@meridian.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Organization').fill('Meridian')
    expect(page.url()).not.toContain('aaaa')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('input[aria-invalid=true]:focus').waitFor()
    await page.getByText(/This token was used, replaced, or is too old/).waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada')
    // Without a link there is nothing to set up here.
    await page.goto(`${app.origin}/setup`)
    await page.waitForURL(/\/sign-in/)
  })

  test('say who invites a person, to which organization and as what', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const { name } = (await ada.get('/console/api/me')).body.member
    const invitation = { email: 'grace@meridian.example', role: 'approver', name: 'Grace' }
    const { token } = (await ada.post('/console/api/invitations', invitation)).body
    const page = await app.open(`/accept#${token}`)
    await page.getByRole('heading', { name: 'Join Meridian Labs' }).waitFor()
    await page.getByText(`${name} invites you to Meridian Labs as an approver.`).waitFor()
    await page.getByText('grace@meridian.example').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'accept')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL(`${app.origin}/`)
  })

  test('say at once that an invitation was withdrawn', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const invitation = { email: 'late@meridian.example', role: 'viewer' }
    const { token } = (await ada.post('/console/api/invitations', invitation)).body
    const members = await app.open('/settings/members', ada)
    await members.getByRole('button', { name: /^Withdraw the invitation of late/ }).click()
    const dialog = members.getByRole('alertdialog', { name: /^Withdraw the invitation of late/ })
    await dialog.getByText(/stops working at once/).waitFor()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await ada.get('/console/api/invitations')).body.data).toHaveLength(1)
    await members.getByRole('button', { name: /^Withdraw the invitation of late/ }).click()
    await dialog.getByRole('button', { name: 'Withdraw the invitation' }).click()
    await members.getByText('late@meridian.example', { exact: true }).waitFor({ state: 'detached' })
    const page = await app.open(`/accept#${token}`, undefined)
    await page.getByText(/This link was used, withdrawn, or is too old/).waitFor()
  })

  test('show the not-found page with the status 404', async () => {
    const page = await app.open('/')
    const response = await page.goto(`${app.origin}/no-such-page`)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page.' }).waitFor()
  })
})

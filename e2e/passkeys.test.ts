import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PASSWORD } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'

describePages('a passkey', () => {
  let app: ConsoleApp
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.stop())

  test('is added, signs in, and proves again who is at the keyboard', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const page = await app.open('/settings/me', ada)
    await addAuthenticator(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('Laptop')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add the passkey' }).click()
    await page.getByRole('region', { name: 'Passkeys' }).getByText('Laptop').waitFor()
    await keepPicture(page, 'settings-me')

    // The simulated key also answers the offer in the e-mail field, at once and without a person.
    await signOut(page)
    await page.waitForURL(`${app.origin}/`)

    await page.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)',
    )
    await page.reload()
    await signOut(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${app.origin}/`)

    app.clock.now = Date.now() + 6 * 60_000
    onTestFinished(() => {
      app.clock.now = undefined
    })
    await page.goto(`${app.origin}/settings/webhook`)
    await page.getByRole('button', { name: 'Enter a URL' }).click()
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/hook')
    await page.getByRole('button', { name: 'Save and test' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByRole('button', { name: 'Use a passkey' }).click()
    await proof.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await owner.get('/organization')).body.webhookUrl)
      .toBe('http://127.0.0.1:9/hook')
  })

  test('that the browser refuses is explained, and the password still works', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const page = await app.open('/sign-in')
    // A person who cancels. The virtual authenticator cannot do that: without a passkey it waits.
    await page.evaluate(`navigator.credentials.get = () =>
      Promise.reject(new DOMException('Canceled', 'NotAllowedError'))`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey was used. Use your password, or try again.').waitFor()
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${app.origin}/`)
  })

  test('does not exist at an IP address, and the page says where it does', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const address = app.origin.replace('localhost', '127.0.0.1')
    const page = await app.open('/settings/me', ada, { origin: address })
    await page.getByText('There are no passkeys at an IP address.').waitFor()
    await page.getByRole('link', { name: /localhost/ }).waitFor()
  })
})

/** A security key that Chromium simulates. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

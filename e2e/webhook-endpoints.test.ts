import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { bodyOf } from '../packages/server/test/support/builders.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { type Receiver, startReceiver } from '../packages/server/test/support/receiver.ts'
import { waitUntil } from '../packages/server/test/support/wait-until.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { copiedText } from './support/shell.ts'
import { setTheme } from './support/theme.ts'

let app: ConsoleApp
let owner: Owner
let ada: Person
let receiver: Receiver
let other: Receiver
beforeAll(async () => {
  app = await startConsole()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  owner = await app.organization('Meridian Labs')
  ada = await app.member(owner)
  receiver = await startReceiver()
  other = await startReceiver()
  onTestFinished(async () => {
    await Promise.all([receiver.close(), other.close()])
  })
  bodyOf(await owner.patch('/organization', { webhookUrl: receiver.url }))
})

const endpoints = async () => bodyOf(await owner.get('/organization')).webhookEndpoints
const hostOf = ({ url }: Receiver): string => new URL(url).host

/** Adds the second receiver without the console. */
async function addOther(): Promise<string> {
  const [first] = await endpoints()
  const list = [{ id: first?.id }, { url: other.url }]
  bodyOf(await owner.patch('/organization', { webhookEndpoints: list }))
  const [, added] = await endpoints()
  return added?.id ?? ''
}

/** Chooses an action of the second receiver's menu. */
async function act(page: Page, verb: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${hostOf(other)}` }).click()
  await page.getByRole('menuitem', { name: verb }).click()
}

describePages('the endpoints of the webhook', () => {
  test('one is added with its own kinds, and its secret is shown once', async () => {
    const page = await app.open('/settings/webhook', ada)
    const card = page.getByRole('region', { name: 'More endpoints' })
    await card.getByRole('button', { name: 'Add an endpoint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' })
    await dialog.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.locator('input[aria-invalid=true]:focus').waitFor()
    await dialog.getByLabel('URL', { exact: true }).fill(other.url)
    await dialog.getByRole('checkbox', { name: 'Budgets' }).click()
    await expectAccessible(page)
    await keepPicture(page, 'endpoint-new')
    await dialog.getByRole('button', { name: 'Add the endpoint' }).click()
    const shown = page.getByRole('alertdialog', { name: 'Here is the secret of the new endpoint' })
    await shown.getByRole('button', { name: 'Copy the secret' }).click()
    const secret = await copiedText(page)
    expect(secret).toMatch(/^whsec_/)
    await shown.getByRole('button', { name: 'Done' }).click()
    await card.getByText(other.url).waitFor()
    expect(await page.content()).not.toContain(secret)
    const [, added] = await endpoints()
    expect(added).toMatchObject({
      url: other.url,
      events: ['transaction.approved', 'transaction.rejected'],
    })
    await keepPicture(page, 'endpoints')
  })

  test('one is paused, resumed, tested and removed', async () => {
    const id = await addOther()
    const page = await app.open('/settings/webhook', ada)
    const card = page.getByRole('region', { name: 'More endpoints' })
    await act(page, 'Pause')
    await card.getByText('Paused').waitFor()
    await act(page, 'Resume')
    await card.getByText('Active').waitFor()
    await act(page, 'Send a test event')
    const drawer = page.getByRole('complementary', { name: /^Delivery/ })
    await drawer.getByText(/Your server accepted it/).waitFor()
    await drawer.getByText(`to ${hostOf(other)}`).waitFor()
    expect([receiver.received.length, other.received.length]).toEqual([0, 1])
    await drawer.getByRole('button', { name: 'Close' }).click()
    await act(page, 'Remove…')
    const confirm = page.getByRole('alertdialog')
    await confirm.getByRole('button', { name: 'Remove the endpoint' }).click()
    await confirm.waitFor({ state: 'detached' })
    await page.getByText(other.url).waitFor({ state: 'detached' })
    expect((await endpoints()).map((one) => one.id)).not.toContain(id)
  })

  test('one gets a different URL and other kinds', async () => {
    const id = await addOther()
    const [before] = await endpoints()
    const moved = `${other.url}/moved`
    const page = await app.open('/settings/webhook', ada)
    await act(page, 'Change…')
    const dialog = page.getByRole('dialog', { name: 'Change the endpoint' })
    await dialog.getByLabel('URL', { exact: true }).fill('ftp://hooks.example.com')
    await dialog.getByRole('button', { name: 'Save the endpoint' }).click()
    await page.locator('input[aria-invalid=true]:focus').waitFor()
    await dialog.getByLabel('URL', { exact: true }).fill(moved)
    await dialog.getByRole('checkbox', { name: 'Decisions' }).click()
    await dialog.getByRole('checkbox', { name: 'Sign-ins' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save the endpoint' }).click()
    await dialog.waitFor({ state: 'detached' })
    const card = page.getByRole('region', { name: 'More endpoints' })
    await card.getByText(moved).waitFor()
    await card.getByText('7 of 18 kinds: budgets, sign-ins.').waitFor()
    const [first, changed] = await endpoints()
    expect(first).toEqual(before)
    const signIns = ['succeeded', 'failed', 'locked', 'refused', 'reset']
    const budgets = ['mandate.budget.warning', 'mandate.budget.exhausted']
    const events = [...budgets, ...signIns.map((end) => `sign_in.${end}`)]
    expect(changed).toMatchObject({ id, url: moved, events })
  })

  test('one has its own secret rotated, and that of the first stays', async () => {
    const id = await addOther()
    const [before] = await endpoints()
    const page = await app.open('/settings/webhook', ada)
    await act(page, 'Rotate the secret…')
    await page.getByRole('radio', { name: 'It also signs for 1 hour' }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    const shown = page.getByRole('alertdialog', { name: 'Here is the new signing secret' })
    await shown.getByRole('button', { name: 'Copy the secret' }).click()
    const secret = await copiedText(page)
    await shown.getByRole('button', { name: 'Done' }).click()
    const card = page.getByRole('region', { name: 'More endpoints' })
    await card.getByText(secret.slice(0, 10)).waitFor()
    await card.getByText(/The old secret also signs for/).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'endpoint-rotated')
    expect(await page.content()).not.toContain(secret)
    expect((await endpoints())[0]).toEqual(before)
    // The endpoint's own events are signed with the new secret.
    bodyOf(await owner.post('/webhooks/test', { event: 'transaction.approved', endpointId: id }))
    await waitUntil(() => other.received.length === 1)
    const [{ body, headers } = { body: '', headers: {} }] = other.received
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  })

  test('the deliveries of one are shown alone', async () => {
    const id = await addOther()
    const test = (fields: object) => owner.post('/webhooks/test', fields).then(bodyOf)
    await test({ event: 'transaction.approved' })
    await test({ event: 'mandate.budget.warning', endpointId: id })
    const page = await app.open('/settings/webhook', ada)
    const ofFirst = page.getByRole('link', { name: 'transaction.approved' })
    const ofOther = page.getByRole('link', { name: 'mandate.budget.warning' })
    await ofFirst.waitFor()
    await ofOther.waitFor()
    await page.getByRole('button', { name: 'Endpoint', exact: true }).click()
    await page.getByRole('combobox', { name: 'Endpoint' }).click()
    await page.getByRole('option', { name: other.url }).click()
    await ofFirst.waitFor({ state: 'detached' })
    await ofOther.waitFor()
    expect(new URL(page.url()).searchParams.get('endpoint')).toBe(id)
    await page.getByRole('button', { name: `Endpoint: ${hostOf(other)}` }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove the filter Endpoint' }).click()
    await ofFirst.waitFor()
    await ofOther.waitFor()
  })

  test('one that the gateway has paused has a notice, from which it is resumed', async () => {
    const id = await addOther()
    await app.rows(
      `update webhook_endpoints set paused_at = now(), failing_since = now() - interval '5 days'
       where organization_id = $1 and url is not null`,
      [owner.organizationId],
    )
    const page = await app.open('/settings/webhook', ada)
    await page.getByText(`Purser has paused the endpoint at ${hostOf(other)}.`).waitFor()
    await expectAccessibleInBothThemes(page, 'a paused endpoint', (theme) =>
      keepPicture(page, `endpoint-paused-${theme}`),
    )
    await setTheme(page, 'light')
    await page.setViewportSize({ width: 390, height: 844 })
    await keepPicture(page, 'endpoint-paused-phone')
    await page.getByRole('button', { name: `Resume ${hostOf(other)}` }).click()
    await page.getByText('Purser has paused').waitFor({ state: 'detached' })
    const found = (await endpoints()).find((one) => one.id === id)
    expect(found).toMatchObject({ status: 'active', pausedReason: null })
  })
})

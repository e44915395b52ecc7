import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { aKey, bodyOf } from '../packages/server/test/support/builders.ts'
import { PASSWORD, type Person } from '../packages/server/test/support/people.ts'
import {
  answerWith,
  type Receiver,
  startReceiver,
} from '../packages/server/test/support/receiver.ts'
import { waitUntil } from '../packages/server/test/support/wait-until.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { aTraveller, spend } from './support/seed.ts'
import { copiedText, runInShell } from './support/shell.ts'

let app: ConsoleApp
let owner: Owner
let ada: Person
beforeAll(async () => {
  // A delivery fails for good at its first attempt.
  app = await startConsole(undefined, { webhooks: { retryDelaysMs: [] } })
})
afterAll(() => app?.stop())
beforeEach(async () => {
  owner = await app.organization('Meridian Labs')
  ada = await app.member(owner)
})

describePages('a key that was made in the console', () => {
  test('is shown once, and works from the copied snippet', async () => {
    await aTraveller(owner, { name: 'Travel booker' })
    const page = await app.open('/keys/new', ada)
    await page.getByLabel('Name').fill('travel-prod')
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'Travel booker' }).click()
    await expectAccessible(page)
    await keepPicture(page, 'key-new')
    await page.getByRole('button', { name: 'Create key' }).last().click()
    const dialog = page.getByRole('alertdialog', { name: /travel-prod/ })
    await dialog.getByRole('button', { name: 'Copy', exact: true }).last().click()
    await keepPicture(page, 'key-made')
    const snippet = await copiedText(page)
    const [key = ''] = /psr_\w+/.exec(snippet) ?? []
    expect(JSON.parse(await runInShell(snippet))).toMatchObject({ decision: 'approved' })
    await dialog.getByRole('link', { name: 'See why' }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: /travel-prod/ }).waitFor()
    expect(await page.content()).not.toContain(key)
    expect(await storedTexts(page)).not.toContain(key)
  })

  test('is not lost by a stray key: closing without a copy needs a second press', async () => {
    const page = await app.open('/keys/new', ada)
    await page.getByLabel('Name').fill('tools')
    await page.getByRole('radio', { name: /Every agent/ }).click()
    await page.getByRole('button', { name: 'Create key' }).last().click()
    const dialog = page.getByRole('alertdialog', { name: /tools/ })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByText('You have not copied the key.').waitFor()
    await dialog.getByRole('button', { name: 'Copy and close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await copiedText(page)).toMatch(/^psr_test_/)
  })

  test('is rotated: the new one works, and the old one stops when it was told to', async () => {
    const { key } = await aKey(app, owner, { name: 'batch' })
    const page = await app.open('/keys', ada)
    await page.getByRole('button', { name: 'Rotate batch' }).click()
    await page.getByRole('radio', { name: /at once/i }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate batch' }).click()
    const dialog = page.getByRole('alertdialog', { name: /batch/ })
    await dialog.getByRole('button', { name: 'Copy the key' }).click()
    const next = await copiedText(page)
    expect((await app.client(next).get('/agents')).status).toBe(200)
    expect((await app.client(key.apiKey).get('/agents')).status).toBe(401)
  })
})

describePages('the webhook', () => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
    onTestFinished(() => receiver.close())
  })

  test('refuses a URL under its field, saves a good one, and sends a test at once', async () => {
    const page = await app.open('/settings/webhook', ada)
    await page.getByText('Nothing is sent yet.').waitFor()
    await page.getByRole('button', { name: 'Enter a URL' }).click()
    const field = page.getByLabel('URL', { exact: true })
    await field.fill('ftp://hooks.example.com')
    await page.getByRole('button', { name: 'Save and test' }).click()
    await page.locator('input[aria-invalid=true]:focus').waitFor()
    await expectAccessible(page)
    await field.fill(receiver.url)
    await page.getByRole('button', { name: 'Save and test' }).click()
    await page.getByText('It works.').waitFor()
    expect(receiver.received).toHaveLength(1)
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByText(receiver.url).waitFor()
    await keepPicture(page, 'settings-webhook')
  })

  test('asks for the password again, keeps the URL that was typed, and sends it once', async () => {
    const page = await app.open('/settings/webhook', ada)
    await page.getByRole('button', { name: 'Enter a URL' }).click()
    await page.getByLabel('URL', { exact: true }).fill(receiver.url)
    app.clock.now = Date.now() + 6 * 60_000
    onTestFinished(() => {
      app.clock.now = undefined
    })
    await page.getByRole('button', { name: 'Save and test' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByText(`Send events to ${receiver.url}.`).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'password-again')
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await proof.waitFor({ state: 'detached' })
    await page.getByText('The URL is saved.').waitFor()
    const { webhookUrl } = bodyOf(await owner.get('/organization'))
    expect(webhookUrl).toBe(receiver.url)
  })

  test('shows a rotated secret once', async () => {
    const page = await app.open('/settings/webhook', ada)
    const card = page.getByRole('region', { name: 'Signing secret' })
    await card.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('radio', { name: 'It also signs for 1 hour' }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Here is the new signing secret' })
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    const secret = await copiedText(page)
    expect(secret).toMatch(/^whsec_/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await card.getByText(secret.slice(0, 10)).waitFor()
    await card.getByText(/The old secret also signs/).waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await storedTexts(page)).not.toContain(secret)
  })

  test('sends one failed delivery again from its drawer', async () => {
    await failDeliveries(owner, receiver, 1)
    const page = await app.open('/settings/webhook', ada)
    await page.getByRole('link', { name: 'transaction.approved' }).click()
    const drawer = page.getByRole('complementary', { name: /^Delivery/ })
    await drawer.getByText(/Your server did not accept it/).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'delivery')
    receiver.behave(answerWith(204))
    await drawer.getByRole('button', { name: 'Send again now' }).click()
    await drawer.getByText(/Your server accepted it/).waitFor()
  })

  test('moves through its deliveries by arrows and keys, one step back from the list', async () => {
    await failDeliveries(owner, receiver, 3)
    const page = await app.open('/settings/webhook', ada)
    await page.getByRole('link', { name: 'transaction.approved' }).first().click()
    const drawer = page.getByRole('complementary', { name: /^Delivery/ })
    const [previous, next] = ['Previous delivery', 'Next delivery'].map((name) =>
      drawer.getByRole('button', { name }),
    )
    await drawer.getByText(/Your server did not accept it/).waitFor()
    const first = page.url()
    await expect.poll(() => previous?.getAttribute('aria-disabled')).toBe('true')
    await next?.click()
    await page.waitForURL((url) => url.href !== first)
    const second = page.url()
    await page.keyboard.press('j')
    await page.waitForURL((url) => url.href !== second)
    await expect.poll(() => next?.getAttribute('aria-disabled')).toBe('true')
    await expectAccessible(page)
    await page.keyboard.press('k')
    await page.waitForURL(second)
    await previous?.click()
    await page.waitForURL(first)
    await drawer.getByText(/Your server did not accept it/).waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/settings/webhook')
  })

  test('does not resend everything when the start of the time is empty', async () => {
    await failDeliveries(owner, receiver, 1)
    const page = await app.open('/settings/webhook', ada)
    await page.getByRole('button', { name: /^Resend failed/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend failed deliveries?' })
    await dialog.getByRole('combobox', { name: 'Which' }).click()
    await page.getByRole('option', { name: 'Failed since a time' }).click()
    await dialog.getByLabel('Since').fill('')
    await dialog.getByLabel('Since').press('Enter')
    await dialog.getByText('Enter a date and a time.').first().waitFor()
    const { status } = bodyOf(await owner.get('/webhooks/deliveries/failed'))
    expect(status).toBe('none')
  })

  test('sends all failed deliveries again as a task that outlives the page', async () => {
    await failDeliveries(owner, receiver, 14)
    const page = await app.open('/settings/webhook', ada)
    await page.getByRole('button', { name: /^Resend failed/ }).click()
    await page.getByRole('button', { name: 'Resend 14 deliveries' }).waitFor()
    await expectAccessible(page)
    receiver.behave(answerWith(204))
    await page.getByRole('button', { name: 'Resend 14 deliveries' }).click()
    await page
      .getByText(/Resending/)
      .first()
      .waitFor()
    await page.close()
    const again = await app.open('/settings/webhook', ada)
    await again.getByText(/Your server accepted 14 deliveries/).waitFor()
    const { total } = bodyOf(await owner.get('/webhooks/deliveries?status=succeeded'))
    expect(total).toBe(14)
  })

  test('has a calculator that gives the digests of the guide', async () => {
    const page = await app.open('/settings/webhook', ada)
    await page.getByRole('button', { name: 'Check a signature' }).click()
    await page.getByLabel('Secret', { exact: true }).fill('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')
    await page.getByLabel('webhook-id').fill('evt_019a85617c5e7d409b5e6f1f0a3c2b11')
    await page.getByLabel('webhook-timestamp').fill('1794735000')
    await page.getByLabel('Body', { exact: true }).fill(GUIDE_BODY)
    await page.getByText('v1,L2YYa7X6pKEyrx22DnG7uD/W4OvrNiF0jPcM3uaGUYM=').waitFor()
    await page
      .getByText('1520e93eb57f6d923703f4de463750cad4cafb586653bd4057c362ea9953c821')
      .waitFor()
    await expectAccessible(page)
  })
})

/** The body of docs/guide-webhooks.md. */
const GUIDE_BODY =
  '{"event":"mandate.budget.warning","timestamp":"2026-11-15T09:30:00.000Z","data":{"mandateId":"mnd_019a85617c5e7d409b5e6f1f0a3c2b11","agentId":"019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11","budgetTotal":100,"budgetSpent":80,"percentUsed":80}}'

/** Everything that the browser stores for the page. */
function storedTexts(page: Page): Promise<string> {
  return page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  )
}

/** Lets a receiver refuse deliveries until they have failed for good. */
async function failDeliveries(client: Owner, receiver: Receiver, count: number): Promise<void> {
  receiver.behave(answerWith(503))
  bodyOf(await client.patch('/organization', { webhookUrl: receiver.url }))
  const { agent } = await aTraveller(client, { rules: [] })
  const amounts = Array.from({ length: count }, () => [0.5] as const)
  await spend(client, agent.id, ...amounts)
  await waitUntil(async () => {
    const { total } = bodyOf(await client.get('/webhooks/deliveries?status=failed'))
    return total === count
  })
}

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { bodyOf } from '../packages/server/test/support/builders.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { copiedText } from './support/shell.ts'

describePages('vendors, wallets and cards', () => {
  let app: ConsoleApp
  let owner: Owner
  let ada: Person
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    owner = await app.organization('Meridian Labs')
    ada = await app.member(owner)
  })

  test('show the URLs of a new connection once, and hold the page until all are copied', async () => {
    const page = await app.open('/cards', ada)
    await page.getByRole('button', { name: 'Connect issuer' }).click()
    const form = page.getByRole('dialog', { name: 'Connect a card issuer' })
    await form.getByLabel('Name').fill('Stripe Issuing')
    await form.getByRole('button', { name: 'Connect issuer' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Here are the URLs of Stripe Issuing' })
    await dialog.getByRole('button', { name: 'Copy the Requests URL' }).click()
    const url = await copiedText(page)
    await expectAccessible(page)
    await keepPicture(page, 'card-connection-made')
    await page.goBack()
    await dialog.getByText('You have not copied the URLs.').waitFor()
    await dialog.getByRole('button', { name: 'Copy the Events URL' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Stripe Issuing' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await page.content()).not.toContain(url)
  })

  test('give the secret of a signer once', async () => {
    const page = await app.open('/wallets?new=1', ada)
    const form = page.getByRole('dialog', { name: 'Create a wallet' })
    await form.getByLabel('Name').fill('Own keys')
    await form.getByRole('button', { name: 'Own signer' }).click()
    await form.getByLabel('Address of your key').fill(`0x${'ab'.repeat(20)}`)
    await form.getByLabel('URL of your signer').fill('https://signer.example.com/sign')
    await form.getByRole('button', { name: 'Create wallet' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Here is the signer secret of Own keys' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Copy and close' }).click()
    await dialog.waitFor({ state: 'detached' })
    const secret = await copiedText(page)
    expect(secret.length).toBeGreaterThan(20)
    await page.getByRole('region', { name: 'Own keys' }).waitFor()
    expect(await page.content()).not.toContain(secret)
  })

  test('keep what someone else changed in a vendor while a form was open', async () => {
    const vendor = bodyOf(await owner.post('/vendors', { host: 'sas.se', name: 'SAS' }))
    const page = await app.open(`/vendors/${vendor.id}`, ada)
    const drawer = page.getByRole('complementary', { name: 'sas.se' })
    await drawer.getByRole('button', { name: 'Change vendor' }).click()
    const form = page.getByRole('dialog', { name: 'Change sas.se' })
    await form.getByLabel('Category').fill('travel')
    bodyOf(await owner.patch(`/vendors/${vendor.id}`, { name: 'Scandinavian Airlines' }))
    await drawer.getByText('Scandinavian Airlines', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Save vendor' }).click()
    await form.waitFor({ state: 'detached' })
    const { data } = bodyOf(await owner.get('/vendors?host=sas.se'))
    expect(data[0]).toMatchObject({ name: 'Scandinavian Airlines', category: 'travel' })
  })

  test('open no form for a member who may not send it', async () => {
    const bo = await app.member(owner, 'viewer')
    const page = await app.open('/wallets?new=1', bo)
    await page.getByRole('heading', { name: 'Wallets' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goto(`${app.origin}/vendors?new=1`)
    await page.getByRole('button', { name: 'Add vendor' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { waitUntil } from '../packages/server/test/support/wait-until.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'

const SECRET_URL = 'https://93.184.216.34/services/T0/secret-part'

let app: ConsoleApp
let owner: Owner
beforeAll(async () => {
  app = await startConsole()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  owner = await app.organization('Meridian Labs')
})

const kindsOf = async (person: Person): Promise<unknown> =>
  JSON.parse((await person.get('/console/api/messages')).text).kinds

describePages('messages', () => {
  test('are chosen by each member, at once, and can go back to the defaults', async () => {
    const ada = await app.member(owner)
    const page = await app.open('/settings/me', ada)
    const card = page.getByRole('region', { name: 'Messages' })
    await card.getByRole('switch', { name: 'Budgets', checked: true }).click()
    await waitUntil(async () => (await kindsOf(ada))?.toString() === 'approvals,endpoints')
    await expectAccessible(page)
    await keepPicture(page, 'settings-messages')
    const dark = await app.open('/settings/me', ada, { theme: 'dark', width: 390 })
    await dark.getByRole('switch', { name: 'Budgets', checked: false }).scrollIntoViewIfNeeded()
    await expectAccessible(dark)
    await keepPicture(dark, 'settings-messages-dark-phone')
    await card.getByRole('button', { name: 'Use the defaults of your role' }).click()
    await waitUntil(async () => (await kindsOf(ada))?.toString() === 'approvals,budget,endpoints')
    await card.getByRole('switch', { name: 'Budgets', checked: true }).waitFor()
  })

  test('about approvals are not offered to a viewer', async () => {
    const page = await app.open('/settings/me', await app.member(owner, 'viewer'))
    const card = page.getByRole('region', { name: 'Messages' })
    await card.getByRole('switch', { name: 'Budgets', checked: false }).waitFor()
    expect(await card.getByRole('switch', { name: 'Approvals' }).count()).toBe(0)
  })

  test('go to a chat whose URL is shown by its host alone', async () => {
    const ada = await app.member(owner)
    const page = await app.open('/settings/organization', ada)
    const card = page.getByRole('region', { name: 'Chat' })
    await card.getByRole('button', { name: 'Enter the URL' }).click()
    const dialog = page.getByRole('dialog', { name: 'Enter the URL of the chat' })
    await dialog.getByLabel('URL').fill('https://10.0.0.1/inside')
    await dialog.getByRole('button', { name: 'Save the chat' }).click()
    await dialog.getByText('is not a public address').waitFor()
    await dialog.getByLabel('URL').fill(SECRET_URL)
    await keepPicture(page, 'settings-chat-dialog')
    await dialog.getByRole('button', { name: 'Save the chat' }).click()
    await card.getByText('https://93.184.216.34/…').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'settings-chat')
    const dark = await app.open('/settings/organization', ada, { theme: 'dark', width: 390 })
    await dark.getByRole('button', { name: 'Remove the chat' }).scrollIntoViewIfNeeded()
    await expectAccessible(dark)
    await keepPicture(dark, 'settings-chat-dark-phone')
    expect(await page.content()).not.toContain('secret-part')
    await card.getByRole('button', { name: 'Remove the chat' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the chat' }).click()
    await card.getByText('No chat gets messages.').waitFor()
  })
})

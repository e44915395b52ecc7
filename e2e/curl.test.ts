import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { anAgent, bodyOf } from '../packages/server/test/support/builders.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { aTraveller, spend, type Traveller } from './support/seed.ts'
import { copiedText, runInShell } from './support/shell.ts'

describePages('“Copy as curl”', () => {
  let app: ConsoleApp
  let owner: Owner
  let ada: Person
  let booker: Traveller
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    owner = await app.organization('Meridian Labs')
    ada = await app.member(owner)
    booker = await aTraveller(owner, { name: 'Travel booker' })
  })

  /** Copies the command of an action, runs it in a shell as it is, and returns the answer. */
  async function run(page: Page, within: Page | Locator = page): Promise<unknown> {
    await within.getByRole('button', { name: 'Copy as curl' }).click()
    return inShell(page)
  }
  async function inShell(page: Page): Promise<unknown> {
    const command = await copiedText(page)
    return JSON.parse(await runInShell(command, { PURSER_API_KEY: owner.apiKey }))
  }

  test('of a freeze freezes, and the page says so', async () => {
    const page = await app.open('/settings/organization?freeze=1', ada)
    await run(page, page.getByRole('alertdialog'))
    expect(bodyOf(await owner.get('/organization')).frozen).toBe(true)
    await page.getByText('All spending is frozen.').first().waitFor()
  })

  test('of a form sends what was typed, whatever characters it has', async () => {
    const name = `O'Brien "the" $HOME \\ agent`
    const page = await app.open('/agents?new=1', ada)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    expect(await run(page, dialog)).toMatchObject({ name })
    const { body } = await owner.get('/agents')
    expect(body.total).toBe(2)
  })

  test('of a refund refunds the amount of the form', async () => {
    const [id] = await spend(owner, booker.agent.id, [12.5])
    const page = await app.open(`/transactions/${id}`, ada)
    await page.getByRole('button', { name: 'Refund…' }).click()
    expect(await run(page, page.getByRole('alertdialog'))).toMatchObject({ status: 'refunded' })
    await page.keyboard.press('Escape')
    await page.getByText('Refunded').first().waitFor()
  })

  test('of “Try again” gives the answer that the page gives', async () => {
    const [id] = await spend(owner, booker.agent.id, [80])
    const page = await app.open(`/transactions/${id}`, ada)
    expect(await run(page)).toMatchObject({ decision: 'rejected' })
  })

  test('of a pause, in a menu, pauses the agent', async () => {
    const agent = await anAgent(owner, { name: 'Night shift' })
    const page = await app.open(`/agents/${agent.id}`, ada)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy pause as curl' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await inShell(page)).toMatchObject({ status: 'paused' })
    await page.getByRole('button', { name: 'Resume' }).waitFor()
  })

  test('of a revocation revokes the mandate', async () => {
    const page = await app.open(`/mandates/${booker.mandate.id}`, ada)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: /^Revoke/ }).click()
    expect(await run(page, page.getByRole('alertdialog'))).toMatchObject({ status: 'revoked' })
  })

  test('of an export downloads the rows of the list', async () => {
    await spend(owner, booker.agent.id, [1], [80])
    const page = await app.open('/transactions?decision=rejected', ada)
    await page.getByRole('button', { name: 'CSV' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' }).click()
    const command = await copiedText(page)
    const csv = await runInShell(command, { PURSER_API_KEY: owner.apiKey })
    expect(csv.trim().split('\n')).toHaveLength(2)
  })
})

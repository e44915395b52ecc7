import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSetup } from '../packages/server/src/people/prepare-setup.ts'
import { createTemporaryFolder } from '../packages/server/test/support/database.ts'
import { PASSWORD } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePagesOnEveryEngine } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { copiedText, runInShell } from './support/shell.ts'

describePagesOnEveryEngine('the first run', (engine) => {
  let app: ConsoleApp
  beforeAll(async () => {
    app = await startConsole(engine)
    await app.organization('Acme')
  })
  afterAll(() => app?.stop())

  test('leads from the link of the start to a live decision, with a reload at each step', async () => {
    const token = await setupToken(app)
    const startedAt = Date.now()
    const page = await app.open(`/setup#${token}`)
    await page.getByText('Token read from the link').waitFor()
    expect(page.url()).not.toContain('#')
    await expectAccessible(page)
    await keepPicture(page, 'setup')
    await fillSetup(page)

    await onStep(page, 'A key for your program')
    await keepPicture(page, 'start-key')
    await page.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('region', { name: 'Your new key' })
    await shown.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByText('The key is copied.').waitFor()
    const lostKey = await copiedText(page)
    expect(lostKey).toMatch(/^psr_test_/)

    await onStep(page, 'An agent')
    expect(await page.content()).not.toContain(lostKey)
    await page.getByRole('button', { name: 'Register agent' }).click()

    await onStep(page, 'A mandate')
    await expectAccessible(page)
    await keepPicture(page, 'start-mandate')
    await page.getByRole('radio', { name: /Research/ }).click()
    await page.getByRole('button', { name: 'Activate Research mandate' }).click()

    await onStep(page, 'Send the first spend')
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    await page.getByRole('region', { name: 'Your new key' }).waitFor()
    const card = page.getByRole('region', { name: 'Send the first spend' })
    await card.getByRole('button', { name: 'Copy', exact: true }).click()
    await keepPicture(page, 'start-spend')
    const snippet = await copiedText(page)
    expect(snippet).not.toContain(lostKey)
    expect(JSON.parse(await runInShell(snippet))).toMatchObject({ decision: 'approved' })
    await page.getByRole('heading', { name: /^Approved: 12\.50 USD/ }).waitFor()
    // The design allows two minutes for a person. This only says what the pages themselves take.
    console.log(`${engine}: from set-up to the first decision ${seconds(startedAt)} s`)

    const excess = page.getByRole('region', { name: 'Now one that is too much' })
    await excess.getByRole('button', { name: 'Send it from here' }).click()
    await page.getByRole('heading', { name: /^Rejected:/ }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'start-decided')

    const old = await app.client(lostKey).get('/agents')
    expect(old.status).toBe(401)
    await page.reload()
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
    await page.getByRole('link', { name: 'Go to the overview' }).first().click()
    await page.waitForURL(`${app.origin}/`)
  })

  test('is over once someone is a member: the set-up link has ended', async () => {
    const page = await app.open(`/setup#${'a'.repeat(43)}`)
    await fillSetup(page)
    await page.getByText(/This token was used, replaced, or is too old/).waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lindqvist')
  })
})

function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(1)
}

async function fillSetup(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Lindqvist')
  await page.getByLabel('Your e-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Organization').fill('Meridian Labs')
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Waits for a step of the checklist, reloads the page, and expects the same step. */
async function onStep(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name, exact: true }).waitFor()
  await page.reload()
  await page.getByRole('region', { name, exact: true }).waitFor()
}

async function setupToken(app: ConsoleApp): Promise<string> {
  const folder = await createTemporaryFolder()
  await prepareSetup(app.database.db, folder.path)
  const token = await readFile(join(folder.path, 'setup-token'), 'utf8')
  await folder.remove()
  return token.trim()
}

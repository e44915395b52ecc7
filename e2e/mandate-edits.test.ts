import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { bodyOf } from '../packages/server/test/support/builders.ts'
import { PASSWORD } from '../packages/server/test/support/people.ts'
import { expectAccessible, expectAccessibleLayer } from './support/axe.ts'
import { activate, openEditor, setLimit } from './support/editor.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { aTraveller, spend, type Traveller } from './support/seed.ts'
import { useConsole } from './support/use-console.ts'

const ASSETS = join(import.meta.dirname, '../packages/server/console/assets')

describePages('an edit of a mandate', () => {
  const stage = useConsole()
  let booker: Traveller
  beforeEach(async () => {
    booker = await aTraveller(stage().owner)
  })

  test('two people edit one mandate: the later one sees it, and chooses', async () => {
    const { app, owner, ada } = stage()
    const page = await openEditor(app, booker, ada)
    await setLimit(page, '20')
    await page.getByText('Saved as a draft.').waitFor()
    const bo = await app.member(owner, 'admin')
    const change = { rules: [{ id: 'per-spend', type: 'amount', max: 45 }], expectedVersion: 1 }
    const changed = await bo.patch(`/api/v1/mandates/${booker.mandate.id}`, change)
    expect(changed.status, changed.text).toBe(200)
    const notice = page.getByRole('alert').filter({ hasText: /changed this mandate/ })
    await notice.waitFor()
    await notice.getByRole('button', { name: 'See the difference' }).click()
    await page
      .getByRole('dialog', { name: /^What/ })
      .getByText(/45\.00/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'mandate-conflict')
    await page.keyboard.press('Escape')
    await notice.getByRole('button', { name: 'Start from theirs' }).click()
    await expect.poll(() => page.getByLabel('At most').inputValue()).toMatch(/^45/)
    const mandate = bodyOf(await owner.get(`/mandates/${booker.mandate.id}`))
    expect(mandate.version).toBe(2)
  })

  test('an edit survives the end of the session: the person signs in and nothing is lost', async () => {
    const { app, owner, ada } = stage()
    const page = await openEditor(app, booker, ada)
    await ada.post('/console/api/sign-out')
    await setLimit(page, '21')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    // Behind the dialog the verdict is dimmed, because it waits for its answer.
    await expectAccessibleLayer(dialog, 'the end of the session')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('At most').inputValue()).toMatch(/^21/)
    await page.getByText('Saved as a draft.').waitFor()
    const { body } = await owner.get('/mandates?status=draft')
    expect(body.total).toBe(1)
  })

  test('a backtest runs although the page could not load its code at first', async () => {
    const { app, owner, ada } = stage()
    await spend(owner, booker.agent.id, [5], [30])
    const page = await app.open('/mandates', ada)
    let failures = 0
    const isCode = await backtestCode()
    await page.route(isCode, (route) => {
      if (failures === 2) return route.continue()
      failures += 1
      return route.abort()
    })
    await page.goto(`${app.origin}/mandates/${booker.mandate.id}/edit`)
    await page.getByLabel('At most').waitFor()
    await setLimit(page, '20')
    await page.getByText('newly rejected').waitFor()
    expect(failures).toBe(2)
  })

  test('an edit that is on its way when the editor is left and opened again is stored once', async () => {
    const { app, owner, ada } = stage()
    const page = await openEditor(app, booker, ada)
    const creation = await holdCreation(page, 'request')
    await setLimit(page, '22')
    await creation.isSent
    await page.getByRole('link', { name: 'Mandates', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Mandates' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Mandate', exact: true }).waitFor()
    creation.release()
    await page.getByText('Saved as a draft.').waitFor()
    expect(await page.getByLabel('At most').inputValue()).toMatch(/^22/)
    const isSaved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await setLimit(page, '23')
    await isSaved
    expect((await owner.get('/mandates?status=draft')).body.total).toBe(1)
  })

  test('an edit whose answer is lost in a reload is stored once', async () => {
    const { app, owner, ada } = stage()
    const page = await openEditor(app, booker, ada)
    const creation = await holdCreation(page, 'answer')
    await setLimit(page, '24')
    await creation.isSent
    // The list of drafts does not have it yet when the page asks.
    await page.route('**/api/v1/mandates?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), data: [], total: 0 } })
    })
    await page.reload()
    await page.getByText('Saved as a draft.').waitFor()
    expect(await page.getByLabel('At most').inputValue()).toMatch(/^24/)
    expect((await owner.get('/mandates?status=draft')).body.total).toBe(1)
  })

  test('the password is asked for during an activation, which is then done once', async () => {
    const { app, owner, ada } = stage()
    const page = await openEditor(app, booker, ada)
    await setLimit(page, '90')
    await page.getByText('Saved as a draft.').waitFor()
    app.clock.now = Date.now() + 6 * 60_000
    onTestFinished(() => {
      app.clock.now = undefined
    })
    await activate(page, 'version 2')
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password', { exact: true }).fill('not the password')
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await proof.locator('input[aria-invalid=true]').waitFor()
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText(/version 2, is active/).waitFor()
    const mandate = bodyOf(await owner.get(`/mandates/${booker.mandate.id}`))
    expect(mandate.version).toBe(2)
  })
})

/** The address of the built file with the client that streams. No other file has this word. */
async function backtestCode(): Promise<RegExp> {
  const names = await readdir(ASSETS)
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith('.js'))
      .map(async (name) => ({ name, text: await readFile(join(ASSETS, name), 'utf8') })),
  )
  const found = texts.filter(({ text }) => text.includes('isEndless'))
  expect(found).toHaveLength(1)
  return new RegExp(`/assets/${found[0]?.name}$`)
}

/** Holds the first request that creates a mandate, or the answer of the gateway to it. */
async function holdCreation(page: Page, held: 'request' | 'answer') {
  const released = deferred()
  const sent = deferred()
  let count = 0
  await page.route('**/api/v1/mandates', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    count += 1
    if (count > 1) return route.continue()
    const early = held === 'answer' ? await route.fetch() : undefined
    sent.resolve()
    await released.promise
    // The page can be gone.
    const response = early ?? (await route.fetch())
    await route.fulfill({ response }).catch(() => {})
  })
  return { isSent: sent.promise, release: released.resolve }
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

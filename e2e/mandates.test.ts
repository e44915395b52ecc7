import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { anAgent, bodyOf } from '../packages/server/test/support/builders.ts'
import { PASSWORD, type Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages, describePagesOnEveryEngine } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { ASKING, aTraveller, spend, type Traveller } from './support/seed.ts'

const ASSETS = join(import.meta.dirname, '../packages/server/console/assets')

describePagesOnEveryEngine('the editor of a mandate', (engine) => {
  let app: ConsoleApp
  beforeAll(async () => {
    app = await startConsole(engine)
  })
  afterAll(() => app?.stop())

  test('changes a limit, shows the past under it, and activates the next version', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const booker = await aTraveller(owner)
    await spend(owner, booker.agent.id, [5], [30], [60])
    const page = await editor(app, booker, ada)
    await setLimit(page, '20')
    await page.getByText('newly rejected').waitFor()
    await page.getByText(/was 50\.00 in version 1/).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'mandate-editor')
    await activate(page, 'version 2')
    await page.getByText(/version 2, is active/).waitFor()
    const mandate = bodyOf(await owner.get(`/mandates/${booker.mandate.id}`))
    expect(mandate).toMatchObject({ version: 2, status: 'active' })
    const [id] = await spend(owner, booker.agent.id, [30])
    expect((await owner.get(`/transactions/${id}`)).body.decision).toBe('rejected')
  })
})

describePages('mandates', () => {
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
    booker = await aTraveller(owner)
  })

  test('a first mandate is drafted from a template, tested, and activated', async () => {
    const agent = await anAgent(owner, { name: 'Travel booker' })
    const page = await app.open(`/mandates/new?agent=${agent.id}&template=travel`, ada)
    await page.getByText('Nothing is stored yet.').waitFor()
    await page.getByRole('region', { name: 'Would this be approved?' }).waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Review and activate' }).click()
    const dialog = page.getByRole('dialog', { name: /^Activate/ })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: /^Activate/ }).click()
    await page
      .getByText(/is active\./)
      .first()
      .waitFor()
    const { body } = await owner.get(`/mandates?agentId=${agent.id}&status=active`)
    expect(body.total).toBe(1)
  })

  test('the agent is chosen after the rules were typed, and nothing is lost', async () => {
    const agent = await anAgent(owner, { name: 'Travel booker' })
    const page = await app.open('/mandates/new?template=travel', ada)
    // The templates have the same words in their descriptions.
    const limit = page.getByRole('textbox', { name: 'At most', exact: true })
    await limit.fill('222')
    await page.getByRole('combobox', { name: 'Agent' }).fill('Travel')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`agent=${agent.id}`))
    expect(await limit.inputValue()).toMatch(/^222/)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    const { body } = await owner.get(`/mandates?agentId=${agent.id}&status=draft`)
    expect(body.data[0]).toMatchObject({ name: 'Travel booker mandate' })
    expect(body.data[0]?.rules[0]).toMatchObject({ type: 'amount', max: 222 })
  })

  test('a deleted draft leaves the list at once, and Undo brings it back', async () => {
    const agent = await anAgent(owner, { name: 'Travel booker' })
    const draft = bodyOf(await owner.post('/mandates', draftOf(agent.id, { name: 'Old draft' })))
    const page = await app.open(`/mandates/${draft.id}`, ada)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete the draft' }).click()
    await page.waitForURL(/\/mandates$/)
    await page.getByRole('link', { name: 'Research agent mandate' }).waitFor()
    expect(await page.getByRole('link', { name: 'Old draft' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Old draft' }).waitFor()
    expect((await owner.get(`/mandates/${draft.id}`)).status).toBe(200)
  })

  test('a replacement that starts later says that the agent has no mandate until then', async () => {
    const validFrom = new Date(Date.now() + 7 * 86_400_000).toISOString()
    const later = draftOf(booker.agent.id, { name: 'Next quarter', validFrom, budgetTotal: 12_500 })
    const draft = bodyOf(await owner.post('/mandates', later))
    const page = await app.open(`/mandates/${draft.id}/edit`, ada)
    // Thousands are grouped to read, and plain to edit.
    const amount = page.getByRole('textbox', { name: 'Amount', exact: true }).first()
    await expect.poll(() => amount.inputValue()).toBe('12,500.00')
    await amount.focus()
    await expect.poll(() => amount.inputValue()).toBe('12500.00')
    await page.getByRole('button', { name: 'Review and activate' }).click()
    const dialog = page.getByRole('dialog', { name: /^Activate/ })
    await dialog.getByText(/Research agent has no mandate until/).waitFor()
    await dialog.getByText(/It applies to Research agent from/).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'mandate-replace-later')
    await dialog.getByRole('button', { name: 'Replace “Research agent mandate”' }).waitFor()
  })

  test('the mandate page says how much of a limit is used', async () => {
    const limit = { id: 'daily', type: 'limit', maxAmount: 90, window: 'day' }
    const limited = await aTraveller(owner, { name: 'Limited agent', rules: [limit] })
    await spend(owner, limited.agent.id, [12.5], [7])
    const page = await app.open(`/mandates/${limited.mandate.id}`, ada)
    await page.getByText('19.50 used today.').waitFor()
  })

  test('a warning of the gateway stands under the rule that it is about', async () => {
    const asking = await aTraveller(owner, { name: 'Asking agent', rules: ASKING })
    const page = await editor(app, asking, ada)
    await setLimit(page, '15')
    const card = page.getByRole('listitem').filter({ has: page.getByLabel('Above') })
    await card.getByText(/rejected anyway, because the maximum is 15/).waitFor()
  })

  test('two people edit one mandate: the later one sees it, and chooses', async () => {
    const page = await editor(app, booker, ada)
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
    const page = await editor(app, booker, ada)
    await ada.post('/console/api/sign-out')
    await setLimit(page, '21')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('At most').inputValue()).toMatch(/^21/)
    await page.getByText('Saved as a draft.').waitFor()
    const { body } = await owner.get('/mandates?status=draft')
    expect(body.total).toBe(1)
  })

  test('a backtest runs although the page could not load its code at first', async () => {
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
    const page = await editor(app, booker, ada)
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
    await setLimit(page, '23')
    await page.waitForResponse((response) => response.request().method() === 'PATCH')
    expect((await owner.get('/mandates?status=draft')).body.total).toBe(1)
  })

  test('an edit whose answer is lost in a reload is stored once', async () => {
    const page = await editor(app, booker, ada)
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
    const page = await editor(app, booker, ada)
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

  test('a viewer can try changes, and nothing of them is stored', async () => {
    const page = await editor(app, booker, await app.member(owner, 'viewer'))
    await page.getByText(/You can try changes here; they are not saved/).waitFor()
    await setLimit(page, '10')
    await page.getByRole('button', { name: 'Review and activate' }).focus()
    const { body } = await owner.get('/mandates?status=draft')
    expect(body.total).toBe(0)
  })

  test('a mandate of a different organization is not found', async () => {
    const stranger = await app.member(await app.organization('Other'))
    const page = await app.open(`/mandates/${booker.mandate.id}/edit`, stranger)
    await page
      .getByText(/There is no such mandate/)
      .first()
      .waitFor()
  })
})

async function editor(app: ConsoleApp, booker: Traveller, as: Person): Promise<Page> {
  const page = await app.open(`/mandates/${booker.mandate.id}/edit`, as)
  await page.getByLabel('At most').waitFor()
  return page
}

function setLimit(page: Page, amount: string): Promise<void> {
  return page.getByLabel('At most').fill(amount)
}

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

async function activate(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Review and activate' }).click()
  const dialog = page.getByRole('dialog', { name: `Activate ${name}?` })
  await dialog.getByRole('button', { name: `Activate ${name}` }).click()
}

function draftOf(agentId: string, fields: object): object {
  return { agentId, budgetTotal: 100, budgetPeriod: 'monthly', rules: [], ...fields }
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

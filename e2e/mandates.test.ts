import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { anAgent, bodyOf } from '../packages/server/test/support/builders.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { activate, openEditor, setLimit } from './support/editor.ts'
import { describePages, describePagesOnEveryEngine } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { ASKING, aTraveller, spend, type Traveller } from './support/seed.ts'

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
    const page = await openEditor(app, booker, ada)
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
    expect(body.data[0]).toMatchObject({ name: 'Travel mandate' })
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
    await dialog.getByRole('button', { name: /^Replace the mandate “Research/ }).waitFor()
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
    const page = await openEditor(app, asking, ada)
    await setLimit(page, '15')
    const card = page.getByRole('listitem').filter({ has: page.getByLabel('Above') })
    await card.getByText(/rejected anyway, because the maximum is 15/).waitFor()
  })

  test('a viewer can try changes, and nothing of them is stored', async () => {
    const page = await openEditor(app, booker, await app.member(owner, 'viewer'))
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

function draftOf(agentId: string, fields: object): object {
  return { agentId, budgetTotal: 100, budgetPeriod: 'monthly', rules: [], ...fields }
}

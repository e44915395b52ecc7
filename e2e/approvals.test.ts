import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import {
  aSpender,
  decideOn,
  endApprovals,
  readApproval,
} from '../packages/server/test/support/approvals.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { evaluate } from '../packages/server/test/support/spends.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages, describePagesOnEveryEngine } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { ASKING, aTraveller, type Traveller } from './support/seed.ts'
import { copiedText, runInShell } from './support/shell.ts'

describePagesOnEveryEngine('an approval', (engine) => {
  let app: ConsoleApp
  beforeAll(async () => {
    app = await startConsole(engine)
  })
  afterAll(() => app?.stop())

  test('is given by keyboard alone: g a, j, a, Enter', async () => {
    const owner = await app.organization('Meridian Labs')
    const ada = await app.member(owner)
    const booker = await aTraveller(owner, { rules: ASKING })
    const first = await ask(app, owner, booker, 25)
    const second = await ask(app, owner, booker, 30)
    const page = await app.open('/transactions', ada)
    await page.getByRole('heading', { name: 'Transactions' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await heading(page, '25.00').waitFor()
    await keepPicture(page, 'approvals')
    await page.keyboard.press('j')
    await heading(page, '30.00').waitFor()
    await page.waitForURL(new RegExp(second))
    await page.keyboard.press('a')
    const confirm = page.getByRole('form', { name: 'Approve 30.00 USD' })
    await confirm.getByText(/One spend of at most/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/You approved this/).waitFor()
    expect(await readApproval(owner, second)).toMatchObject({ status: 'approved' })
    expect(await readApproval(owner, first)).toMatchObject({ status: 'pending' })
  })
})

describePages('the inbox of approvals', () => {
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
    booker = await aTraveller(owner, { rules: ASKING })
  })

  test('shows a request as it comes, counts it in the title, and has no findings of axe', async () => {
    const page = await app.open('/approvals', ada)
    await page.getByText('Nothing needs your approval.').waitFor()
    await ask(app, owner, booker, 25)
    await heading(page, '25.00').waitFor()
    await expect.poll(() => page.title()).toBe('(1) Approvals · Purser')
    await expectAccessible(page)
  })

  test('takes a no with a reason for the agent', async () => {
    const id = await ask(app, owner, booker, 25)
    const page = await app.open(`/approvals/${id}`, ada)
    await heading(page, '25.00').waitFor()
    await page.keyboard.press('r')
    await page.getByLabel('Reason for the agent and the record').fill('Too expensive')
    await page.keyboard.press('Enter')
    await page.getByText(/You rejected this/).waitFor()
    expect(await readApproval(owner, id)).toMatchObject({
      status: 'rejected',
      decisions: [{ comment: 'Too expensive' }],
    })
  })

  test('copies the answer that the button would send as curl, which works', async () => {
    const id = await ask(app, owner, booker, 40)
    const page = await app.open(`/approvals/${id}`, ada)
    await heading(page, '40.00').waitFor()
    await page.keyboard.press('r')
    await page.getByLabel('Reason for the agent and the record').fill("It's too much")
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    const command = await copiedText(page)
    await runInShell(command, { PURSER_API_KEY: owner.apiKey })
    expect(await readApproval(owner, id)).toMatchObject({
      status: 'rejected',
      decisions: [{ comment: "It's too much" }],
    })
  })

  test('allows less than was requested', async () => {
    const id = await ask(app, owner, booker, 40)
    const page = await app.open(`/approvals/${id}`, ada)
    await page.getByRole('button', { name: 'Allow less' }).click()
    await page.getByLabel('Allow at most').fill('30')
    await page.getByRole('button', { name: /^Approve 30\.00 USD/ }).click()
    await page
      .getByRole('form')
      .getByRole('button', { name: /^Approve 30\.00 USD/ })
      .click()
    await page.getByText(/You approved at most 30\.00 USD of this/).waitFor()
  })

  test('lets another person decide about what a member sent', async () => {
    const spend = { agentId: booker.agent.id, amount: 25, vendor: 'api.openai.com' }
    const sent = await ada.post('/api/v1/gateway/evaluate', { ...spend, category: 'llm' })
    const { id } = JSON.parse(sent.text).evaluationDetails.approval
    const page = await app.open(`/approvals/${id}`, ada)
    await page.getByText('You sent this spend yourself, so another person must decide.').waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    const bo = await app.member(owner, 'approver')
    const other = await app.open(`/approvals/${id}`, bo)
    await other.getByRole('button', { name: /^Approve 25\.00 USD/ }).waitFor()
  })

  test('shows the answer of another person at once, and never acts twice', async () => {
    const id = await ask(app, owner, booker, 25)
    const bo = await app.member(owner, 'approver')
    const page = await app.open(`/approvals/${id}`, ada)
    await heading(page, '25.00').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('form', { name: /^Approve/ }).waitFor()
    const answer = await bo.post(`/api/v1/approvals/${id}/decision`, { decision: 'reject' })
    expect(answer.status).toBe(200)
    await page.getByText(/rejected this/).waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    expect((await readApproval(owner, id)).decisions).toHaveLength(1)
  })

  test('tells the later of two people that the answer changed nothing', async () => {
    const id = await ask(app, owner, booker, 25)
    const bo = await app.member(owner, 'approver')
    const page = await app.open(`/approvals/${id}`, ada)
    await heading(page, '25.00').waitFor()
    // The other answer arrives while this one is on its way.
    await page.route(`**/approvals/${id}/decision`, async (route) => {
      await bo.post(`/api/v1/approvals/${id}/decision`, { decision: 'reject' })
      await route.continue()
    })
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await page.getByText(/Your answer came later and changed nothing/).waitFor()
    expect(await readApproval(owner, id)).toMatchObject({ status: 'rejected' })
  })

  test('shows everything but the buttons to a viewer, and says who may decide', async () => {
    const id = await ask(app, owner, booker, 25)
    const page = await app.open(`/approvals/${id}`, await app.member(owner, 'viewer'))
    await heading(page, '25.00').waitFor()
    await page
      .getByRole('region', { name: 'Your answer' })
      .getByText(/You are a viewer/)
      .waitFor()
    expect(await page.getByRole('button', { name: /^Approve|^Reject/ }).count()).toBe(0)
  })

  test('says that a request expired without an answer while it was open', async () => {
    const id = await ask(app, owner, booker, 25)
    const page = await app.open(`/approvals/${id}`, ada)
    await heading(page, '25.00').waitFor()
    await endApprovals(app, booker.agent.id)
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await page.getByText(/The request expired without an answer/).waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
  })

  test('works on a phone, from the link of a message', async () => {
    const id = await ask(app, owner, booker, 25)
    const page = await app.open(`/console/approvals/${id}`, ada, { width: 320, height: 700 })
    await page.waitForURL(new RegExp(`/approvals/${id}$`))
    await page.getByRole('button', { name: /^Approve 25\.00 USD/ }).click()
    await expectAccessible(page)
    await keepPicture(page, 'approval-320')
    const form = page.getByRole('form')
    await form.getByRole('button', { name: 'More' }).click()
    const copy = page.getByRole('menuitem', { name: 'Copy as curl' })
    await copy.waitFor()
    await expectAccessible(page)
    await copy.click()
    await form.getByRole('button', { name: /^Approve 25\.00 USD/ }).click()
    await page.getByText(/You approved this/).waitFor()
  })

  test('has nothing for a different organization', async () => {
    const id = await ask(app, owner, booker, 25)
    const stranger = await app.member(await app.organization('Other'))
    const page = await app.open(`/approvals/${id}`, stranger)
    await page.getByText('There is no such approval.').waitFor()
    expect((await decideOn(owner, id)).status).toBe(200)
  })
})

/** Sends a spend that needs approval, with a key of the agent's program. */
async function ask(app: ConsoleApp, owner: Owner, booker: Traveller, amount: number) {
  const spender = await aSpender(app, owner, booker.agent.id)
  const spend = { amount, vendor: 'api.openai.com', category: 'llm', reason: 'A large prompt' }
  const { evaluationDetails } = await evaluate(spender, booker.agent.id, spend)
  const { id } = evaluationDetails.approval ?? {}
  expect(id).toBeDefined()
  return String(id)
}

/** The sentence of an open request. */
function heading(page: Page, amount: string) {
  return page.getByRole('heading', {
    name: new RegExp(`wants to spend ${amount.replace('.', '\\.')}`),
  })
}

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { anAgent } from '../packages/server/test/support/builders.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { startTcpProxy } from '../packages/server/test/support/tcp-proxy.ts'
import { waitUntil } from '../packages/server/test/support/wait-until.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { aTraveller, spend, type Traveller } from './support/seed.ts'

const EVENTS = '/api/v1/events'

describePages('live updates', () => {
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

  test('come back after the gateway was away, without missed or doubled rows', async () => {
    const proxy = await startTcpProxy(app.origin.replace('localhost', '127.0.0.1'))
    onTestFinished(() => proxy.close())
    const origin = `http://localhost:${new URL(proxy.url).port}`
    const page = await app.open('/transactions', ada, { origin })
    await page.getByText('No transactions yet.').waitFor()
    await page.getByRole('button', { name: 'Live' }).waitFor()
    proxy.goAway()
    await spend(owner, booker.agent.id, [1], [2], [3])
    await waitUntil(() => proxy.refused > 0)
    proxy.comeBack()
    await page.getByRole('row', { name: /1\.00/ }).waitFor()
    await spend(owner, booker.agent.id, [4])
    await page.getByRole('row', { name: /4\.00/ }).waitFor()
    expect(await rowCount(page)).toBe(4)
  })

  test('load the list again after a gap', async () => {
    const page = await app.open('/sign-in', ada)
    let connections = 0
    await page.route(`**${EVENTS}`, async (route) => {
      connections += 1
      if (connections > 1) return route.continue()
      // The stream says that it left something out: spends that this page never heard of.
      await spend(owner, booker.agent.id, [1], [2])
      const headers = { 'content-type': 'text/event-stream' }
      return route.fulfill({ headers, body: 'event: gap\ndata: {}\n\n' })
    })
    await page.goto(`${app.origin}/transactions`)
    await page.getByRole('row', { name: /2\.00/ }).waitFor()
    await waitUntil(() => connections > 1)
    expect(await rowCount(page)).toBe(2)
  })

  test('that start after the page was loaded show what happened in between', async () => {
    const page = await app.open('/sign-in', ada)
    let openStream = () => {}
    const mayOpen = new Promise<void>((resolve) => {
      openStream = resolve
    })
    await page.route(`**${EVENTS}`, async (route) => {
      await mayOpen
      await route.continue()
    })
    await page.goto(`${app.origin}/agents`)
    await page.getByRole('link', { name: booker.agent.name, exact: true }).waitFor()
    await anAgent(owner, { name: 'Latecomer' })
    openStream()
    await page.getByRole('link', { name: 'Latecomer' }).waitFor()
  })

  test('load the list again and start at the present when the last event was removed', async () => {
    const page = await app.open('/sign-in', ada)
    await page.clock.install()
    let connections = 0
    await page.route(`**${EVENTS}`, (route) => {
      connections += 1
      if (connections === 1) {
        const body = 'retry: 1\nid: evt_019a85617c5e7d409b5e6f1f0a3c2b11\nevent: hint\ndata: {}\n\n'
        return route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body })
      }
      if (connections > 2) return route.continue()
      const problem = JSON.stringify({ status: 410, code: 'event_removed', title: 'Removed' })
      return route.fulfill({ status: 410, contentType: 'application/problem+json', body: problem })
    })
    await page.goto(`${app.origin}/transactions`)
    await waitUntil(() => connections === 2)
    await spend(owner, booker.agent.id, [1], [2])
    await page.clock.fastForward(21_000)
    await waitUntil(() => connections === 3)
    await page.getByRole('row', { name: /2\.00/ }).waitFor()
    await spend(owner, booker.agent.id, [3])
    await page.getByRole('row', { name: /3\.00/ }).waitFor()
    expect(await rowCount(page)).toBe(3)
  })

  test('use one connection for three tabs, and a tab that closes hands it on', async () => {
    const first = await app.open('/sign-in', ada)
    const context = first.context()
    let connections = 0
    context.on('request', (request) => {
      if (request.url().endsWith(EVENTS)) connections += 1
    })
    const others = [await context.newPage(), await context.newPage()]
    for (const page of [first, ...others]) {
      await page.goto(`${app.origin}/transactions`)
      await page.getByText('No transactions yet.').waitFor()
    }
    await waitUntil(() => connections > 0)
    await spend(owner, booker.agent.id, [1])
    for (const page of [first, ...others]) await page.getByRole('row', { name: /1\.00/ }).waitFor()
    expect(connections).toBe(1)
    await first.close()
    await waitUntil(() => connections === 2)
    await spend(owner, booker.agent.id, [2])
    for (const page of others) await page.getByRole('row', { name: /2\.00/ }).waitFor()
  })

  test('end a minute after the tab was hidden, and go on when it is seen again', async () => {
    const page = await app.open('/sign-in', ada)
    await page.clock.install()
    let opened = 0
    let ended = 0
    const isEvents = (request: { url(): string }) => request.url().endsWith(EVENTS)
    page.on('request', (request) => {
      if (isEvents(request)) opened += 1
    })
    for (const kind of ['requestfailed', 'requestfinished'] as const) {
      page.on(kind as 'requestfailed', (request) => {
        if (isEvents(request)) ended += 1
      })
    }
    await page.goto(`${app.origin}/transactions`)
    await page.getByText('No transactions yet.').waitFor()
    await waitUntil(() => opened === 1)
    await setVisibility(page, 'hidden')
    await page.clock.fastForward(61_000)
    await waitUntil(() => ended === 1)
    await spend(owner, booker.agent.id, [1])
    await setVisibility(page, 'visible')
    await waitUntil(() => opened === 2)
    await page.getByRole('row', { name: /1\.00/ }).waitFor()
  })

  test('say that they are off after three failures, and ask by themselves meanwhile', async () => {
    const page = await app.open('/sign-in', ada)
    await page.clock.install()
    let isAway = true
    await page.route(`**${EVENTS}`, (route) => (isAway ? route.abort() : route.continue()))
    await page.goto(`${app.origin}/transactions`)
    await page.getByText('No transactions yet.').waitFor()
    await page
      .getByText(/Live updates are off|Offline/)
      .first()
      .waitFor()
    await spend(owner, booker.agent.id, [1])
    await page.clock.fastForward(16_000)
    await page.getByRole('row', { name: /1\.00/ }).waitFor()
    isAway = false
    await page.clock.fastForward(21_000)
    await page.getByRole('button', { name: 'Live' }).waitFor()
    await spend(owner, booker.agent.id, [2])
    await page.getByRole('row', { name: /2\.00/ }).waitFor()
    expect(await rowCount(page)).toBe(2)
  })

  test('survive 300 decisions in a burst, each in the list once', async () => {
    const page = await app.open('/transactions', ada)
    await page.getByText('No transactions yet.').waitFor()
    const spends = Array.from({ length: 300 }, () => [0.01] as const)
    await spend(owner, booker.agent.id, ...spends)
    const table = page.getByRole('table', { name: 'Transactions' })
    // The table counts its heading as a row. Only the rows in view are in the page.
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('301')
    await page.getByText('All 300, newest first').waitFor()
  })
})

function rowCount(page: Page): Promise<number> {
  return page.getByRole('table', { name: 'Transactions' }).getByRole('link').count()
}

/** Acts as if the person had changed to a different tab. */
function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
}

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { sealAll } from '../packages/server/test/support/audit-log.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { aTraveller, spend } from './support/seed.ts'

describePages('a leaf of the audit log', () => {
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
    const { agent } = await aTraveller(owner, { name: 'Travel booker' })
    await spend(owner, agent.id, [12.5], [80])
    await sealAll(app)
  })

  test('is proven in the browser, and opens by keyboard', async () => {
    const page = await app.open('/audit', ada)
    await page.getByText(/entries, all signed/).waitFor()
    await keepPicture(page, 'audit')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByText('Proven in this browser.').waitFor()
    const steps = page.getByRole('list', { name: 'Steps of the check' })
    await steps.getByText('The record fits its hash').waitFor()
    await steps.getByText('The root is signed', { exact: true }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'audit-leaf')
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/audit$/)
  })

  test('with an altered payload is not proven, and both hashes are shown', async () => {
    const page = await app.open('/audit', ada)
    await page.route('**/api/v1/audit-log?*', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: altered(await answer.text()) })
    })
    await page.goto(`${app.origin}/audit/${await lastIndex(owner)}`)
    await page.getByText('This record does not fit its hash.').waitFor()
    await page.getByText('The record on this page gives').waitFor()
    expect(await page.getByText('Proven in this browser.').count()).toBe(0)
    await expectAccessible(page)
  })

  test('that a key signed which this browser does not know is not proven', async () => {
    const stranger = await app.organization('Other')
    await sealAll(app)
    const otherKey = JSON.parse((await stranger.get('/audit-log/proof')).text).keys[0]
    const page = await proven(app, ada, await lastIndex(owner))
    // This browser kept a different key, as if the gateway had been replaced.
    await page.evaluate(`{
      const name = Object.keys(localStorage).find((one) => one.startsWith('purser.audit.'))
      const kept = JSON.parse(localStorage.getItem(name))
      localStorage.setItem(name, JSON.stringify({ ...kept, keys: [${JSON.stringify(otherKey)}] }))
    }`)
    await page.reload()
    await page.getByText('The log is signed with a key that this browser does not know.').waitFor()
    await page.getByText(otherKey).waitFor()
    await expectAccessible(page)
  })

  test('of a log that became shorter is not proven', async () => {
    const index = await lastIndex(owner)
    // A true and signed proof, but of the log as it was before it grew.
    const earlier = (await owner.get(`/audit-log/proof?index=${index}`)).text
    await aTraveller(owner, { name: 'Later agent' })
    await sealAll(app)
    const page = await proven(app, ada, index)
    await page.route('**/api/v1/audit-log/proof?index=*', (route) =>
      route.fulfill({ contentType: 'application/json', body: earlier }),
    )
    await page.reload()
    await page
      .getByText('The log does not continue from the head that this browser keeps.')
      .waitFor()
    expect(await page.getByText('Proven in this browser.').count()).toBe(0)
  })

  test('in a browser without Ed25519 is checked in part, and the page says which', async () => {
    const page = await app.open('/audit', ada)
    await page.addInitScript(`{
      const real = crypto.subtle.importKey.bind(crypto.subtle)
      crypto.subtle.importKey = (format, key, algorithm, ...rest) =>
        (algorithm.name ?? algorithm) === 'Ed25519'
          ? Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'))
          : real(format, key, algorithm, ...rest)
    }`)
    await page.goto(`${app.origin}/audit/${await lastIndex(owner)}`)
    await page.getByText('Checked in part.').waitFor()
    expect(await page.getByText('Proven in this browser.').count()).toBe(0)
  })

  test('has nothing for a different organization', async () => {
    const stranger = await app.member(await app.organization('Other'))
    await sealAll(app)
    const page = await app.open('/audit/500', stranger)
    await page.getByText('There is no such leaf.').waitFor()
  })
})

/** The last decision: its amount changes by one hundredth. */
function altered(text: string): string {
  return text.replaceAll('"amountMicros":"80000000"', '"amountMicros":"80010000"')
}

async function lastIndex(owner: Owner): Promise<number> {
  const { text } = await owner.get('/audit-log?limit=1')
  return JSON.parse(text).data[0].index
}

async function proven(app: ConsoleApp, person: Person, index: number): Promise<Page> {
  const page = await app.open(`/audit/${index}`, person)
  await page.getByText('Proven in this browser.').waitFor()
  return page
}

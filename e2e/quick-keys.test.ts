import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { aSpender } from '../packages/server/test/support/approvals.ts'
import { sealAll } from '../packages/server/test/support/audit-log.ts'
import { bodyOf } from '../packages/server/test/support/builders.ts'
import { answerWith, startReceiver } from '../packages/server/test/support/receiver.ts'
import { evaluate } from '../packages/server/test/support/spends.ts'
import { waitUntil } from '../packages/server/test/support/wait-until.ts'
import { describePages } from './support/every-engine.ts'
import { isLoaded } from './support/pages.ts'
import { ASKING, aTraveller, spend } from './support/seed.ts'
import { useConsole } from './support/use-console.ts'

const STEPS = 4

describePages('presses that are faster than the page is drawn', () => {
  const stage = useConsole({ webhooks: { retryDelaysMs: [] } })

  test('lose no step in the list of transactions, without and with the drawer', async () => {
    const { app, owner, ada } = stage()
    const { agent } = await aTraveller(owner)
    const ids = (await spend(owner, agent.id, ...Array.from({ length: 9 }, amount))).toReversed()
    const page = await app.open('/transactions', ada)
    await isLoaded(page)
    await page.getByRole('link', { name: 'api.openai.com' }).nth(8).waitFor()
    await pressAtOnce(page, 'j')
    await page.locator(`[data-row="${ids[STEPS - 1]}"]:focus`).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`${ids[STEPS - 1]}`))
    await pressAtOnce(page, 'j')
    await page.waitForURL(new RegExp(`${ids[2 * STEPS - 1]}`))
    await pressAtOnce(page, 'k')
    await page.waitForURL(new RegExp(`${ids[STEPS - 1]}`))
  })

  test('lose no step among approvals', async () => {
    const { app, owner, ada } = stage()
    const { agent } = await aTraveller(owner, { rules: ASKING })
    const spender = await aSpender(app, owner, agent.id)
    const ids: string[] = []
    for (let count = 0; count <= STEPS; count += 1) {
      const spent = { amount: 25 + count, vendor: 'api.openai.com', category: 'llm' }
      const { evaluationDetails } = await evaluate(spender, agent.id, spent)
      ids.push(String(evaluationDetails.approval?.id))
    }
    const page = await app.open(`/approvals/${ids[0]}`, ada)
    await isLoaded(page)
    await page.getByRole('navigation').getByText('29.00').waitFor()
    await pressAtOnce(page, 'j')
    await page.waitForURL(new RegExp(`${ids[STEPS]}`))
    await pressAtOnce(page, 'k')
    await page.waitForURL(new RegExp(`${ids[0]}`))
  })

  test('lose no step in the audit log, without and with the drawer', async () => {
    const { app, owner, ada } = stage()
    const { agent } = await aTraveller(owner)
    await spend(owner, agent.id, ...Array.from({ length: 6 }, amount))
    await sealAll(app)
    const page = await app.open('/audit', ada)
    await page.getByText(/entries, all signed/).waitFor()
    const rows = page.locator('[data-row]')
    await rows.nth(2 * STEPS - 1).waitFor()
    const indexes = await rows.evaluateAll((all) =>
      all.map((row) => (row as unknown as { dataset: { row: string } }).dataset.row),
    )
    await pressAtOnce(page, 'j')
    await page.locator(`[data-row="${indexes[STEPS - 1]}"]:focus`).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/audit/${indexes[STEPS - 1]}$`))
    await pressAtOnce(page, 'j')
    await page.waitForURL(new RegExp(`/audit/${indexes[2 * STEPS - 1]}$`))
  })

  test('lose no step among deliveries', async () => {
    const { app, owner, ada } = stage()
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    receiver.behave(answerWith(503))
    bodyOf(await owner.patch('/organization', { webhookUrl: receiver.url }))
    const { agent } = await aTraveller(owner, { rules: [] })
    await spend(owner, agent.id, ...Array.from({ length: STEPS + 1 }, amount))
    const failed = async () => bodyOf(await owner.get('/webhooks/deliveries?status=failed'))
    await waitUntil(async () => (await failed()).total === STEPS + 1)
    const ids: string[] = (await failed()).data.map(({ id }: { id: string }) => id)
    const page = await app.open(`/settings/webhook/${ids[0]}`, ada)
    await isLoaded(page)
    await page.getByRole('link', { name: 'transaction.approved' }).nth(STEPS).waitFor()
    await pressAtOnce(page, 'j')
    await page.waitForURL(new RegExp(`${ids[STEPS]}`))
    await pressAtOnce(page, 'k')
    await page.waitForURL(new RegExp(`${ids[0]}`))
    expect(await page.getByRole('complementary', { name: /^Delivery/ }).count()).toBe(1)
  })
})

const amount = (_: unknown, index: number) => [0.5 + index] as const

/** All presses come before the next frame, as with a fast keyboard on a slow machine. */
async function pressAtOnce(page: Page, key: string, times = STEPS): Promise<void> {
  await page.evaluate(`for (let at = 0; at < ${times}; at += 1) {
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))
  }`)
}

import { expect, test } from 'vitest'
import { countAll } from '../packages/server/test/support/analytics.ts'
import { anActiveMandate, anAgent } from '../packages/server/test/support/builders.ts'
import { describePages } from './support/every-engine.ts'
import { isLoaded } from './support/pages.ts'
import { keepPicture } from './support/screenshots.ts'
import { spend } from './support/seed.ts'
import { useConsole } from './support/use-console.ts'

/** Windows in which the first box has little room, much room, and the whole width. */
const WIDTHS = [1440, 1100, 320]

describePages('the numbers of the overview', () => {
  const stage = useConsole()

  test.each([
    ['412.5', '412.50'],
    ['6296.238394', '6,296.238394'],
  ])('leave room between the amount and its sparkline: %s', async (amount, text) => {
    const { app, owner, ada } = stage()
    const agent = await anAgent(owner, { name: 'Treasury' })
    await anActiveMandate(owner, { agentId: agent.id, budgetTotal: 10_000 })
    await spend(owner, agent.id, [Number(amount)])
    await countAll(app)
    const page = await app.open('/', ada)
    await isLoaded(page)
    const sums = page.getByRole('list', { name: 'Sums in USD' })
    await sums.getByText(text).first().waitFor()
    const gaps: (number | null)[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      gaps.push(await page.evaluate<number | null>(GAP))
      await keepPicture(page, `overview-${amount}-${width}`)
    }
    expect(Math.min(...gaps.map((gap) => gap ?? 100))).toBeGreaterThan(4)
    // The sparkline is there where it fits.
    expect(gaps[1]).not.toBeNull()
  })
})

/** The pixels between the first amount and its sparkline; null if the sparkline is hidden. */
const GAP = `(() => {
  const box = document.querySelector('ul[aria-label="Sums in USD"] li')
  const range = document.createRange()
  range.selectNodeContents(box.querySelector('.text-figure'))
  const line = [...box.querySelectorAll('svg path')].map((one) => one.ownerSVGElement)
    .find((one) => one.getAttribute('width') === '104')
  const { left, width } = line.getBoundingClientRect()
  return width === 0 ? null : left - range.getBoundingClientRect().right
})()`

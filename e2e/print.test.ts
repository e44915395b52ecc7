import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { sealAll } from '../packages/server/test/support/audit-log.ts'
import { bodyOf } from '../packages/server/test/support/builders.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { aTraveller, spend } from './support/seed.ts'

describePages('paper, light and time', () => {
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
  })

  test('the overview prints on one page, black on white, also from the dark theme', async () => {
    const page = await app.open('/', ada, { theme: 'dark' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Travel booker').first().waitFor()
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1)
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(BACKGROUND)).toBe('rgb(255, 255, 255)')
    expect(await page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false)
  })

  test('a transaction prints white, without the rail', async () => {
    const { body } = await owner.get('/transactions?limit=1')
    const page = await app.open(`/transactions/${body.data[0]?.transactionId}`, ada, {
      theme: 'dark',
    })
    await page.getByRole('heading', { name: /Rejected/ }).waitFor()
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBeLessThanOrEqual(2)
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(BACKGROUND)).toBe('rgb(255, 255, 255)')
    expect(await page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false)
  })

  test('a reload in the dark theme has no white flash: the theme is set before the app', async () => {
    const page = await app.open('/settings/me', ada)
    await page.evaluate(`localStorage.setItem('purser.theme', 'dark')`)
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/index-*.js', async (route) => {
      await isHeld
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    const isDark = /^rgb\((\d|[1-3]\d), (\d|[1-3]\d), (\d|[1-3]\d)\)$/
    await expect.poll(() => page.evaluate(BACKGROUND)).toMatch(isDark)
    release()
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('reduced motion leaves no motion', async () => {
    const page = await app.open('/', ada, { reducedMotion: 'reduce' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const long = await page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
      const seconds = (text) => Math.max(...text.split(',').map(Number.parseFloat))
      const isMoving = seconds(transitionDuration) > 0.001 ||
        (animationName !== 'none' && seconds(animationDuration) > 0.001)
      return isMoving ? [element.outerHTML.slice(0, 120)] : []
    })`)
    expect(long).toEqual([])
  })

  test('times are those of the organization, wherever the browser is', async () => {
    bodyOf(await owner.patch('/organization', { timezone: 'Pacific/Auckland' }))
    await sealAll(app)
    const { text } = await owner.get('/audit-log?limit=1')
    const at = new Date(JSON.parse(text).data[0].at)
    const shown = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Pacific/Auckland',
      hour: '2-digit',
      minute: '2-digit',
    }).format(at)
    const page = await app.open('/audit', ada, { timezone: 'America/Los_Angeles' })
    await page.getByText(/entries, all signed/).waitFor()
    await keepPicture(page, 'audit-far-zone')
    await page.getByRole('table', { name: 'Audit log' }).getByText(shown).first().waitFor()
  })
})

const BACKGROUND = `(() => {
  const colors = ['main', 'body', 'html'].map((name) =>
    getComputedStyle(document.querySelector(name) ?? document.body).backgroundColor)
  return colors.find((color) => color !== 'rgba(0, 0, 0, 0)') ?? 'rgb(255, 255, 255)'
})()`

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessibleLayer } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { ELSEWHERE, LAYERS } from './support/layers.ts'
import { FURNISHED, type Furnished, furnish, isLoaded, pathOf } from './support/pages.ts'
import { keepPicture } from './support/screenshots.ts'
import { useOnePage } from './support/walk.ts'

const SOURCES = join(import.meta.dirname, '../packages/console/src')
const PARTS = /<(Dialog|Confirm|Drawer|Menu|LazyMenu|Popover)\s/

describe('the list of layers', () => {
  test('has every source of the console that draws one', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(screens\/|shell\/|parts\/).*\.tsx$/.test(file))
      .filter((file) => PARTS.test(readFileSync(join(SOURCES, file), 'utf8')))
    const listed = Object.values(LAYERS).flatMap((layers) => layers.map(({ file }) => file))
    const known = new Set([...listed, ...ELSEWHERE])
    expect(files.filter((file) => !known.has(file))).toEqual([])
  })
})

describePages('the layers of a page', () => {
  let app: ConsoleApp
  let furnished: Furnished
  let ada: Person
  beforeAll(async () => {
    app = await startConsole(undefined, FURNISHED)
    furnished = await furnish(app)
    await app.member(furnished.owner, 'viewer')
    const inviter = await app.member(furnished.owner)
    ada = await app.member(furnished.owner)
    const chat = { url: 'https://93.184.216.34/services/T0' }
    expect((await inviter.patch('/console/api/messages/chat', chat)).status).toBe(200)
    const invitation = { email: 'bob@meridian.example', role: 'viewer' }
    expect((await inviter.post('/console/api/invitations', invitation)).status).toBe(200)
  })
  afterAll(() => app?.stop())
  const goThere = useOnePage(() => ({ app, as: ada }))
  const open = (path: string): Promise<Page> => goThere(pathOf(path, furnished))

  test.each(Object.entries(LAYERS))(
    'have no findings of axe in light and dark: %s',
    async (path, layers) => {
      const page = await open(path)
      for (const { name, open: openLayer } of layers) {
        const layer = await openLayer(page)
        await layer.waitFor()
        await isLoaded(page)
        await expectAccessibleLayer(layer, name)
        await keepPicture(page, `layer-${name}`)
        await page.keyboard.press('Escape')
        await layer.waitFor({ state: 'detached' })
      }
    },
  )

  test('on a phone have none either: the menu of places, and that of a key', async () => {
    const page = await open('/keys')
    await page.setViewportSize({ width: 320, height: 700 })
    for (const button of ['More', /^Actions for Proc/]) {
      await page.getByRole('button', { name: button }).first().click()
      const menu = page.getByRole('menu')
      await menu.waitFor()
      await expectAccessibleLayer(menu, `the menu ${button} at 320 px`)
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
    }
  })

  test('have none when the password is asked for, in both themes', async () => {
    const page = await open('/keys')
    await page
      .getByRole('button', { name: /^Rotate Proc/ })
      .first()
      .click()
    app.clock.now = Date.now() + 6 * 60_000
    onTestFinished(() => {
      app.clock.now = undefined
    })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Rotate Proc/ })
      .click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.waitFor()
    await expectAccessibleLayer(proof, 'the password again')
    await keepPicture(page, 'layer-password-again')
    for (const layer of [proof, page.getByRole('dialog')]) {
      await page.keyboard.press('Escape')
      await layer.waitFor({ state: 'detached' })
    }
  })

  test('return the focus to the control that opened them', async () => {
    const page = await open('/agents/:agent')
    await page.getByRole('button', { name: 'More' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit…' }).waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('More')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('More')
  })
})

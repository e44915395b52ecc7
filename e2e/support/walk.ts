import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFailed, onTestFinished } from 'vitest'
import { type Person, signedInAgain } from '../../packages/server/test/support/people.ts'
import { openWatchedPage, setCookie, type WatchedPage } from './browser.ts'
import type { ConsoleApp } from './console-app.ts'
import { isLoaded } from './pages.ts'

/**
 * Goes to an address as a link of the page does, without a new document. A new document costs two
 * seconds of CPU, because its policy for openers makes Chromium start processes for it.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})
    dispatchEvent(new PopStateEvent('popstate'))`)
  await expect.poll(() => page.evaluate<string>(PLACE), { message: path }).toBe('shown')
  await isLoaded(page)
}

/** The router notes the address that the page shows. It can lead elsewhere than it was asked to. */
const PLACE = `(() => {
  const { pathname, search } = location
  const at = document.documentElement.dataset.at
  return at === pathname + search ? 'shown' : at + ' is shown on the way to ' + pathname + search
})()`

/**
 * Shares one page among tests that each go to an address of their own. Each starts in the light theme,
 * at 1440 px, just signed in. A test that fails leaves no page to the next one.
 */
export function useOnePage(
  who: () => { readonly app: ConsoleApp; readonly as: Person },
): (path: string) => Promise<Page> {
  let shared: WatchedPage | undefined
  afterAll(() => shared?.close())
  return async (path) => {
    const { app, as } = who()
    const mine = shared ?? (await start(app, as))
    shared = mine
    onTestFinished(() => mine.check())
    onTestFailed(() => {
      shared = undefined
      return mine.close()
    })
    const { page } = mine
    // A session that is older than five minutes would have to enter the password again.
    await setCookie(page.context(), app.origin, (await signedInAgain(app, as)).cookie)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light', forcedColors: null })
    await goTo(page, path)
    return page
  }
}

async function start(app: ConsoleApp, as: Person): Promise<WatchedPage> {
  const opened = await openWatchedPage(app.origin, { cookie: as.cookie, reducedMotion: 'reduce' })
  await opened.page.goto(app.origin)
  await isLoaded(opened.page)
  return opened
}

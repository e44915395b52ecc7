import type { Locator, Page } from 'playwright-core'

/** A dialog, a menu or a popup over a page. */
export interface Layer {
  /** The source that draws it, below `packages/console/src`. */
  readonly file: string
  readonly name: string
  /** Opens it on its page, on which no other layer is open. */
  open(page: Page): Promise<Locator>
}

export const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
export const dialogOf = (page: Page) => page.getByRole('dialog').last()
export const alertOf = (page: Page) => page.getByRole('alertdialog').last()
export const menuOf = (page: Page) => page.getByRole('menu').last()

/** A button that opens a popup with a role. */
export function by(
  name: string | RegExp,
  layerOf: (page: Page) => Locator = dialogOf,
): (page: Page) => Promise<Locator> {
  return async (page) => {
    await press(page, name)
    return layerOf(page)
  }
}

/** An item of a menu that opens a dialog. */
export function byMenu(
  button: string | RegExp,
  item: string | RegExp,
  layerOf: (page: Page) => Locator = alertOf,
): (page: Page) => Promise<Locator> {
  return async (page) => {
    await press(page, button)
    await page.getByRole('menuitem', { name: item }).click()
    return layerOf(page)
  }
}

/** The layer that is open as soon as the page is. */
export const atOnce = (layerOf: (page: Page) => Locator) => async (page: Page) => layerOf(page)

export async function byList(page: Page, label: string): Promise<Locator> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  return page.getByRole('listbox').last()
}

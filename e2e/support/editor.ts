import type { Page } from 'playwright-core'
import type { Person } from '../../packages/server/test/support/people.ts'
import type { ConsoleApp } from './console-app.ts'
import type { Traveller } from './seed.ts'

/** Opens the editor of this mandate. */
export async function openEditor(app: ConsoleApp, booker: Traveller, as: Person): Promise<Page> {
  const page = await app.open(`/mandates/${booker.mandate.id}/edit`, as)
  await page.getByLabel('At most').waitFor()
  return page
}

export function setLimit(page: Page, amount: string): Promise<void> {
  return page.getByLabel('At most').fill(amount)
}

export async function activate(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Review and activate' }).click()
  const dialog = page.getByRole('dialog', { name: `Activate ${name}?` })
  await dialog.getByRole('button', { name: `Activate ${name}` }).click()
}

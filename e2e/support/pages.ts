import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Owner } from '../../packages/server/test/support/app.ts'
import { aSpender, askFor } from '../../packages/server/test/support/approvals.ts'
import { sealAll } from '../../packages/server/test/support/audit-log.ts'
import { bodyOf } from '../../packages/server/test/support/builders.ts'
import type { ConsoleApp } from './console-app.ts'
import { ASKING, aTraveller, spend } from './seed.ts'

/** An organization in which every page has something to show. */
export interface Furnished {
  readonly owner: Owner
  /** The ids that stand for `:agent`, `:mandate` and so on in a path. */
  readonly ids: Readonly<Record<string, string>>
}

/** The pages of the design's section 3. A name in a path, such as `:agent`, is the id of an object. */
export const PAGES = [
  '/',
  '/start',
  '/transactions',
  '/transactions/:transaction',
  '/approvals',
  '/approvals/:approval',
  '/agents',
  '/agents/:agent',
  '/mandates',
  '/mandates/:mandate',
  '/mandates/:mandate/edit',
  '/mandates/:mandate/versions?a=1&b=2',
  '/mandates/new',
  '/simulator',
  '/vendors',
  '/wallets',
  '/cards',
  '/keys',
  '/keys/new',
  '/connect/curl',
  '/reference',
  '/audit',
  '/audit/0',
  '/settings/webhook',
  '/settings/organization',
  '/settings/members',
  '/settings/me',
] as const

/** The longest names that the gateway accepts, and a name in a script that runs from the right. */
const LONG_NAME = 'Procurement-assistant-for-the-north-european-travel-departments!'
const RIGHT_TO_LEFT = 'وكيل المشتريات'

export async function furnish(app: ConsoleApp): Promise<Furnished> {
  const owner = await app.organization('Meridian Labs')
  const { agent, mandate } = await aTraveller(owner, { name: LONG_NAME, rules: ASKING })
  const other = await aTraveller(owner, { name: RIGHT_TO_LEFT, rules: [] })
  const [approved] = await spend(owner, agent.id, [12.5], [3.25, 'api.exa.ai'])
  const [rejected = ''] = await spend(owner, agent.id, [80], [5, 'evil.example'])
  await spend(owner, other.agent.id, [99.5])
  const spender = await aSpender(app, owner, agent.id)
  const approval = await askFor(spender, agent.id, {
    amount: 25,
    vendor: 'api.openai.com',
    category: 'llm',
  })
  const rules = [...ASKING, { id: 'times', type: 'limit', maxAmount: 60, window: '1d' }]
  bodyOf(await owner.patch(`/mandates/${mandate.id}`, { rules }))
  bodyOf(await owner.post('/vendors', { host: 'api.openai.com', name: 'OpenAI', category: 'llm' }))
  await sealAll(app)
  const ids = { transaction: rejected, approved: approved ?? '', approval }
  return { owner, ids: { ...ids, agent: agent.id, mandate: mandate.id } }
}

export function pathOf(path: string, { ids }: Furnished): string {
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name)
}

/** Waits until nothing of the page loads any more. */
export async function isLoaded(page: Page): Promise<void> {
  // A modal drawer hides the heading from readers, so this looks for the element.
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.evaluate<number>(LOADING)).toBe(0)
}

const LOADING = `[...document.querySelectorAll('[aria-busy=true], .sr-only')].filter(
  (one) => one.matches('[aria-busy=true]') || one.textContent === 'Loading').length`

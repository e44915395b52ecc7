import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Owner } from '../../packages/server/test/support/app.ts'
import { aSpender, askFor } from '../../packages/server/test/support/approvals.ts'
import { sealAll } from '../../packages/server/test/support/audit-log.ts'
import {
  aKey,
  anActiveMandate,
  anAgent,
  bodyOf,
} from '../../packages/server/test/support/builders.ts'
import { aCard, aConnection } from '../../packages/server/test/support/cards.ts'
import { waitUntil } from '../../packages/server/test/support/wait-until.ts'
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
  '/vendors/:vendor',
  '/wallets',
  '/cards',
  '/cards/connections/:connection',
  '/keys',
  '/keys/new',
  '/connect/curl',
  '/connect/sdk',
  '/connect/cli',
  '/connect/mcp',
  '/reference',
  '/reference/evaluate',
  '/audit',
  '/audit/0',
  '/settings/webhook',
  '/settings/webhook/:delivery',
  '/settings/organization',
  '/settings/members',
  '/settings/me',
] as const

/** The longest names that the gateway accepts, and a name in a script that runs from the right. */
const LONG_NAME = 'Procurement-assistant-for-the-north-european-travel-departments!'
const RIGHT_TO_LEFT = 'وكيل المشتريات'
/** The largest amount that the gateway accepts. */
const LARGEST = 999_999_999.999999

/** No server listens there, so each delivery fails at once. */
const NO_SERVER = 'http://127.0.0.1:9/hooks'

const SHOP = {
  apiBaseUrl: 'https://shop.example/acp',
  version: '2026-04-17',
  merchantIds: ['acct_1'],
  credential: 'the-key-of-a-shop',
  webhookSecret: 'the-secret-of-a-shop',
}
const INSTRUMENT = {
  ...{ id: 'company-card', label: 'Company card', issuer: 'stripe' },
  ...{ paymentMethod: 'pm_1', credential: 'sk_test_of_an_instrument' },
}

/** The settings of an app in which deliveries fail for good at their first attempt. */
export const FURNISHED = { webhooks: { retryDelaysMs: [] } }

export async function furnish(app: ConsoleApp): Promise<Furnished> {
  const owner = await app.organization('Meridian Labs')
  bodyOf(await owner.patch('/organization', { webhookUrl: NO_SERVER }))
  const [first] = bodyOf(await owner.get('/organization')).webhookEndpoints
  const further = { url: `${NO_SERVER}?second`, status: 'paused' }
  const webhookEndpoints = [{ id: first?.id }, further]
  bodyOf(await owner.patch('/organization', { webhookEndpoints }))
  bodyOf(await owner.patch('/organization', { acp: { instruments: [INSTRUMENT] } }))
  const { agent, mandate } = await aTraveller(owner, { name: LONG_NAME, rules: ASKING })
  const other = await aTraveller(owner, { name: RIGHT_TO_LEFT, rules: [] })
  const [approved = ''] = await spend(owner, agent.id, [12.5], [3.25, 'api.exa.ai'])
  const [rejected = ''] = await spend(owner, agent.id, [80], [5, 'evil.example'])
  await spend(owner, other.agent.id, [99.5])
  await spendMost(owner)
  const spender = await aSpender(app, owner, agent.id)
  const approval = await askFor(spender, agent.id, {
    amount: 25,
    vendor: 'api.openai.com',
    category: 'llm',
  })
  const rules = [...ASKING, { id: 'times', type: 'limit', maxAmount: 60, window: '1d' }]
  bodyOf(await owner.patch(`/mandates/${mandate.id}`, { rules }))
  const fields = { host: 'shop.example', name: LONG_NAME, category: 'llm', acp: SHOP }
  const vendor = bodyOf(await owner.post('/vendors', fields))
  const connection = await aConnection(owner)
  const card = await aCard(owner, { agentId: agent.id, connectionId: connection.id, last4: '4242' })
  await aKey(app, owner, { name: LONG_NAME })
  const delivery = await aFailedDelivery(owner)
  await sealAll(app)
  const payments = { transaction: rejected, approved, approval, card: card.id, delivery }
  const others = { agent: agent.id, mandate: mandate.id, vendor: vendor.id }
  return { owner, ids: { ...payments, ...others, connection: connection.id } }
}

/** An agent that has spent the largest amount, all at once. */
async function spendMost(owner: Owner): Promise<void> {
  const agent = await anAgent(owner, { name: 'Treasury' })
  await anActiveMandate(owner, { agentId: agent.id, name: 'Treasury', budgetTotal: LARGEST })
  await spend(owner, agent.id, [LARGEST], [LARGEST])
}

async function aFailedDelivery(owner: Owner): Promise<string> {
  const failed = async () => bodyOf(await owner.get('/webhooks/deliveries?status=failed&limit=1'))
  await waitUntil(async () => (await failed()).data.length > 0)
  return String((await failed()).data[0]?.id)
}

export function pathOf(path: string, { ids }: Furnished): string {
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name)
}

/** The name of a page in the name of a picture. */
export function nameOf(path: string): string {
  return path.replace(/\?.*/, '').replaceAll('/', '-').replaceAll(':', '')
}

/** Waits until nothing of the page loads any more. */
export async function isLoaded(page: Page): Promise<void> {
  // A modal drawer hides the heading from readers, so this looks for the element.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect.poll(() => page.evaluate<number>(LOADING)).toBe(0)
}

const LOADING = `[...document.querySelectorAll('[aria-busy=true], .sr-only')].filter(
  (one) => one.matches('[aria-busy=true]') || one.textContent === 'Loading').length`

import type { Owner, TestApp } from '../support/app.ts'
import { aSpender, askFor } from '../support/approvals.ts'
import { aDraft, aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import type { Method } from '../support/operations.ts'

/** Above it a person needs the password to approve. */
export const ABOVE = 10

/** A request, as a key sends it below /api/v1. */
export interface Change {
  readonly method: Method
  readonly url: string
  readonly body?: unknown
}

interface Stage {
  readonly app: TestApp
  readonly acme: Owner
}
type Prepare = (stage: Stage) => Promise<Change>

/** A change of something that is made for it. */
function change(method: Method, url: (stage: Stage) => Promise<string>, body?: unknown): Prepare {
  return async (stage) => ({ method, url: await url(stage), body })
}

let count = 0
function next(): number {
  count += 1
  return count
}

const ORGANIZATION = async () => '/organization'
const RULES = [{ id: 'most', type: 'amount', max: 5 }]
const WIDER = [{ id: 'most', type: 'amount', max: 50 }]
const PAYEES = [{ network: 'eip155:84532', address: `0x${'ab'.repeat(20)}` }]

const agent = async ({ acme }: Stage) => `/agents/${(await anAgent(acme)).id}`
async function pausedAgent(stage: Stage): Promise<string> {
  const url = await agent(stage)
  bodyOf(await stage.acme.patch(url, { status: 'paused' }))
  return url
}
const draft = async ({ acme }: Stage) => `/mandates/${(await aDraft(acme)).id}`
const active = async ({ acme }: Stage) =>
  `/mandates/${(await anActiveMandate(acme, { rules: RULES })).id}`

const [ENDS, SOONER, LATER] = ['2090-01-02', '2090-01-01', '2090-01-03'].map(
  (day) => `${day}T00:00:00.000Z`,
)
const ending = async ({ acme }: Stage) =>
  `/mandates/${(await anActiveMandate(acme, { validUntil: ENDS })).id}`

async function connection({ acme }: Stage, fields = {}): Promise<string> {
  const body = { provider: 'generic', name: `Issuer ${next()}`, ...fields }
  return `/card-connections/${bodyOf(await acme.post('/card-connections', body)).id}`
}

const failingOpen = (stage: Stage) =>
  connection(stage, { failMode: 'open', failOpenMaxAmount: 5, deadlineMs: 1_000 })

async function disabledConnection(stage: Stage): Promise<string> {
  const url = await connection(stage)
  bodyOf(await stage.acme.patch(url, { status: 'disabled' }))
  return url
}

async function vendor({ acme }: Stage): Promise<string> {
  const body = { host: `vendor-${next()}.example` }
  return `/vendors/${bodyOf(await acme.post('/vendors', body)).id}`
}

async function newCard(stage: Stage) {
  const [, , connectionId] = (await connection(stage)).split('/')
  return { connectionId, externalId: `card-${next()}`, agentId: (await anAgent(stage.acme)).id }
}

async function card(stage: Stage): Promise<string> {
  return `/cards/${bodyOf(await stage.acme.post('/cards', await newCard(stage))).id}`
}

async function pausedCard(stage: Stage): Promise<string> {
  const url = await card(stage)
  bodyOf(await stage.acme.patch(url, { status: 'paused' }))
  return url
}

/** A request for approval that waits. */
export async function asked(
  { app, acme }: Stage,
  amount: number,
  currency = 'USD',
): Promise<string> {
  const rules = [{ type: 'approval', above: 5 }]
  const { agentId } = await anActiveMandate(acme, { rules, currency })
  return askFor(await aSpender(app, acme, agentId), agentId, { amount, currency })
}

const decision = (body: unknown, amount: number, currency?: string): Prepare =>
  change(
    'POST',
    async (stage) => `/approvals/${await asked(stage, amount, currency)}/decision`,
    body,
  )

const ofMandate = (of: typeof active, place: string) => async (stage: Stage) =>
  `${await of(stage)}/${place}`

/** Whatever moves money, by operation: each needs the password. */
export const MOVES: readonly (readonly [operationId: string, what: string, prepare: Prepare])[] = [
  [
    'updateMandateBudget',
    'a budget',
    change('PATCH', ofMandate(active, 'budget'), { budgetTotal: 200 }),
  ],
  ['activateMandate', 'activating', change('POST', ofMandate(draft, 'activate'))],
  ['updateMandate', 'wider rules of an active mandate', change('PATCH', active, { rules: WIDER })],
  ['updateMandate', 'no rules of an active mandate', change('PATCH', active, { rules: [] })],
  ['updateMandate', 'a later end', change('PATCH', ending, { validUntil: LATER })],
  ['updateMandate', 'no end', change('PATCH', ending, { validUntil: null })],
  ['updateAgent', 'resuming an agent', change('PATCH', pausedAgent, { status: 'active' })],
  [
    'createVendor',
    'a vendor with payees',
    async () => {
      const body = { host: `vendor-${next()}.example`, x402Payees: PAYEES }
      return { method: 'POST', url: '/vendors', body }
    },
  ],
  ['updateVendor', 'payees', change('PATCH', vendor, { x402Payees: PAYEES })],
  ['updateVendor', 'any payee', change('PATCH', vendor, { x402Payees: [] })],
  [
    'updateCardConnection',
    'failing open',
    change('PATCH', connection, { failMode: 'open', failOpenMaxAmount: 5 }),
  ],
  [
    'updateCardConnection',
    'up to which amount it fails open',
    change('PATCH', connection, { failOpenMaxAmount: 5 }),
  ],
  [
    'updateCardConnection',
    'another deadline where it fails open',
    change('PATCH', failingOpen, { deadlineMs: 200 }),
  ],
  [
    'updateCardConnection',
    'enabling a connection',
    change('PATCH', disabledConnection, { status: 'active' }),
  ],
  [
    'createCard',
    'a card for an agent',
    async (stage) => ({ method: 'POST', url: '/cards', body: await newCard(stage) }),
  ],
  [
    'updateCard',
    'another agent of a card',
    async (stage) => {
      const agentId = (await anAgent(stage.acme)).id
      return { method: 'PATCH', url: await card(stage), body: { agentId } }
    },
  ],
  ['updateCard', 'resuming a card', change('PATCH', pausedCard, { status: 'active' })],
  ['updateOrganization', 'the currency', change('PATCH', ORGANIZATION, { currency: 'USD' })],
  ['updateOrganization', 'calls to vendors', change('PATCH', ORGANIZATION, { x402Fetch: true })],
  [
    'updateOrganization',
    'the webhook endpoints',
    change('PATCH', ORGANIZATION, { webhookEndpoints: [] }),
  ],
  ['updateOrganization', 'un-freezing', change('PATCH', ORGANIZATION, { frozen: false })],
  [
    'updateOrganization',
    'freezing with something else',
    change('PATCH', ORGANIZATION, { frozen: true, x402Fetch: true }),
  ],
  [
    'updateOrganization',
    'the limit of approvals',
    change('PATCH', ORGANIZATION, { approvalPasswordAbove: ABOVE }),
  ],
  ['decideApproval', 'approving above the limit', decision({ decision: 'approve' }, 20)],
  ['decideApproval', 'approving in another currency', decision({ decision: 'approve' }, 6, 'EUR')],
]

/** Whatever stops, or moves nothing: none needs it. */
export const STOPS: readonly (readonly [what: string, prepare: Prepare])[] = [
  ['freezing', change('PATCH', ORGANIZATION, { frozen: true })],
  ['freezing with a reason', change('PATCH', ORGANIZATION, { frozen: true, reason: 'Attack' })],
  ['freezing and a new name', change('PATCH', ORGANIZATION, { frozen: true, name: 'Acme 2' })],
  ['no more calls to vendors', change('PATCH', ORGANIZATION, { x402Fetch: false })],
  ['pausing an agent', change('PATCH', agent, { status: 'paused' })],
  ['revoking a mandate', change('POST', ofMandate(active, 'revoke'))],
  [
    'revoking a key',
    change('DELETE', async ({ app, acme }) => `/api-keys/${(await aKey(app, acme)).key.id}`),
  ],
  [
    'revoking tokens',
    async ({ acme }) => {
      const body = { agentId: (await anAgent(acme)).id }
      return { method: 'POST', url: '/gateway/mandate-token/revoke', body }
    },
  ],
  ['pausing a card', change('PATCH', card, { status: 'paused' })],
  ['a sooner end', change('PATCH', ending, { validUntil: SOONER })],
  ['another deadline where it fails closed', change('PATCH', connection, { deadlineMs: 200 })],
  [
    'failing closed with another deadline',
    change('PATCH', failingOpen, { failMode: 'closed', deadlineMs: 200 }),
  ],
  ['failing closed', change('PATCH', connection, { failMode: 'closed', failOpenMaxAmount: null })],
  ['disabling a connection', change('PATCH', connection, { status: 'disabled' })],
  ['rejecting above the limit', decision({ decision: 'reject' }, 20)],
  ['approving up to the limit', decision({ decision: 'approve' }, 10)],
  ['approving no more than the limit', decision({ decision: 'approve', maxAmount: 10 }, 20)],
  ['a draft', change('PATCH', draft, { rules: WIDER, budgetTotal: 1_000 })],
  ['the same rules', change('PATCH', active, { rules: RULES })],
  ['the name of an active mandate', change('PATCH', active, { name: 'Another' })],
]

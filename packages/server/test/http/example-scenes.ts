import { onTestFinished } from 'vitest'
import {
  EXAMPLE_AGENT_ID as AGENT,
  EXAMPLE_RECEIPT,
  exampleId,
} from '../../src/http/document/examples.ts'
import { HOST, openShop } from '../paths/acp/shop.ts'
import { openCardDesk } from '../paths/card/desk.ts'
import { aWallet } from '../paths/x402/payments.ts'
import { someDocument } from '../paths/x402/some-offer.ts'
import type { Client, Owner, TestApp } from '../support/app.ts'
import { aSpender, askFor } from '../support/approvals.ts'
import { sealAll } from '../support/audit-log.ts'
import { aDraft, aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { aCard, aConnection } from '../support/cards.ts'
import { issueToken } from '../support/mandate-tokens.ts'
import { startReceiver } from '../support/receiver.ts'
import { aHold, evaluate } from '../support/spends.ts'

export interface ExampleStage {
  readonly app: TestApp
  readonly acme: Owner
}

/** What makes the examples of an operation come true. */
export interface ExampleScene {
  /** What stands in the examples, and what really is there. */
  readonly stands?: Readonly<Record<string, string>>
  /** Who sends them, where that is not the first key of the organization. */
  readonly client?: Client
}

type Prepare = (stage: ExampleStage) => Promise<ExampleScene>

/** The mandate that the examples are about. */
const MANDATE = {
  budgetPeriod: 'monthly',
  rules: [
    { type: 'amount', max: 25 },
    { type: 'vendors', allow: ['api.openai.com', '*.example.com'] },
  ],
}
const stand = (stands: Readonly<Record<string, string>>): ExampleScene => ({ stands })

const withAgent: Prepare = async ({ acme }) => stand({ [AGENT]: (await anAgent(acme)).id })

const withMandate: Prepare = async ({ acme }) => {
  const { id, agentId } = await anActiveMandate(acme, MANDATE)
  return stand({ [AGENT]: agentId, [exampleId('mnd')]: id })
}

const withDraft: Prepare = async ({ acme }) => {
  const { id, agentId } = await aDraft(acme, MANDATE)
  return stand({ [AGENT]: agentId, [exampleId('mnd')]: id })
}

const withSpend: Prepare = async ({ acme }) => {
  const { id, agentId } = await anActiveMandate(acme, MANDATE)
  const { transactionId, evaluationDetails } = await evaluate(acme, agentId, { amount: 12.5 })
  return stand({
    [AGENT]: agentId,
    [exampleId('mnd')]: id,
    [exampleId('txn')]: transactionId,
    [exampleId('evt')]: transactionId.replace('txn', 'evt'),
    [EXAMPLE_RECEIPT.leaf]: evaluationDetails.receipt?.leaf ?? '',
  })
}

const withSealedSpend: Prepare = async (stage) => {
  const scene = await withSpend(stage)
  await sealAll(stage.app)
  return scene
}

const withHold: Prepare = async ({ acme }) => {
  const { agentId } = await anActiveMandate(acme)
  const { transactionId } = await aHold(acme, agentId, 12.5)
  return stand({ [exampleId('txn')]: transactionId })
}

const withApproval: Prepare = async ({ app, acme }) => {
  const rules = [{ type: 'approval', above: 5 }]
  const { agentId } = await anActiveMandate(acme, { rules })
  const id = await askFor(await aSpender(app, acme, agentId), agentId)
  return stand({ [AGENT]: agentId, [exampleId('apr')]: id })
}

const withCard: Prepare = async ({ acme }) => {
  const { id, agentId, connectionId } = await aCard(acme)
  return stand({ [AGENT]: agentId, [exampleId('conn')]: connectionId, [exampleId('card')]: id })
}

const withDelivery: Prepare = async ({ acme }) => {
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  bodyOf(await acme.patch('/organization', { webhookUrl: receiver.url }))
  const { id } = bodyOf(await acme.post('/webhooks/test', { event: 'transaction.approved' }))
  return stand({ [exampleId('dlv')]: id })
}

const withCardRequest: Prepare = async (stage) => {
  const desk = await openCardDesk({ ...stage, card: { externalId: 'tok_1' } })
  return stand({ [exampleId('conn')]: desk.connectionId })
}

/** By operation; those that are not named need nothing but an organization. */
export const EXAMPLE_SCENES: Readonly<Record<string, Prepare>> = {
  evaluate: withMandate,
  simulate: withMandate,
  async payX402({ acme }) {
    const { agentId } = await anActiveMandate(acme)
    await aWallet(acme)
    bodyOf(await acme.patch('/organization', { x402Fetch: true }))
    const seller = await startReceiver((response, { headers }) => {
      if ('payment-signature' in headers) return response.writeHead(200).end('{"tides": []}')
      const required = JSON.stringify(someDocument())
      return response
        .writeHead(402, { 'payment-required': Buffer.from(required).toString('base64') })
        .end()
    })
    onTestFinished(seller.close)
    return stand({ [AGENT]: agentId, 'https://api.example.com/v1/data': seller.url })
  },
  // Only a key that is bound to one agent may leave out which.
  async getMandateToken({ app, acme }) {
    const { agentId } = await anActiveMandate(acme)
    return { client: await aSpender(app, acme, agentId), stands: { [AGENT]: agentId } }
  },
  async createAcpCheckout(stage) {
    const shop = await openShop(stage)
    const { client } = await aKey(stage.app, stage.acme, { agentIds: [shop.agentId] })
    const session = shop.merchant.openCheckout()
    return { client, stands: { 'shop.example.com': HOST, cs_123: session } }
  },
  authorizeCard: withCardRequest,
  tellCardEvent: withCardRequest,
  async introspectMandateToken({ acme }) {
    const { agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId })
    return stand({ 'eyJ…': token })
  },
  async revokeMandateTokens({ acme }) {
    const { agentId } = await anActiveMandate(acme)
    const { jti } = await issueToken(acme, { agentId })
    return stand({ [exampleId('mtk')]: jti })
  },
  listAgents: withMandate,
  getAgent: withMandate,
  updateAgent: withAgent,
  deleteAgent: withMandate,
  createMandate: withAgent,
  listMandates: withMandate,
  getMandate: withMandate,
  updateMandate: withMandate,
  activateMandate: withDraft,
  revokeMandate: withMandate,
  updateMandateBudget: withMandate,
  deleteMandate: withDraft,
  listMandateVersions: withMandate,
  backtestMandate: withSpend,
  listTransactions: withSpend,
  exportTransactions: withSealedSpend,
  getTransaction: withSpend,
  settleTransaction: withHold,
  voidTransaction: withHold,
  refundTransaction: withSpend,
  listApprovals: withApproval,
  getApproval: withApproval,
  decideApproval: withApproval,
  async createCard({ acme }) {
    const [{ id: agentId }, { id: connectionId }] = [await anAgent(acme), await aConnection(acme)]
    return stand({ [AGENT]: agentId, [exampleId('conn')]: connectionId })
  },
  listCards: withCard,
  updateCard: withCard,
  listCardConnections: withCard,
  updateCardConnection: withCard,
  async listWallets({ acme }) {
    await aWallet(acme)
    return {}
  },
  async listVendors({ acme }) {
    bodyOf(await acme.post('/vendors', { host: 'api.example.com', category: 'data' }))
    return {}
  },
  async updateVendor({ acme }) {
    const { id } = bodyOf(await acme.post('/vendors', { host: 'api.example.com' }))
    return stand({ [exampleId('ven')]: id })
  },
  async revokeApiKey({ app, acme }) {
    const { key } = await aKey(app, acme)
    return stand({ [exampleId('key')]: key.id })
  },
  listDeliveries: withDelivery,
  getDelivery: withDelivery,
  redeliver: withDelivery,
  sendTestEvent: withDelivery,
  listEvents: withSpend,
  getSpendAnalytics: withSpend,
  listAuditLog: withSealedSpend,
  getAuditProof: withSealedSpend,
}

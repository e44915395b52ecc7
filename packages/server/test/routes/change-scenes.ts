import type { Operation } from '../../src/core/change.ts'
import { HOST, openShop } from '../paths/acp/shop.ts'
import { openCardDesk } from '../paths/card/desk.ts'
import { aPayment, aWallet } from '../paths/x402/payments.ts'
import type { Answer, Owner, TestApp } from '../support/app.ts'
import { aSpender, askFor, decideOn } from '../support/approvals.ts'
import {
  aDraft,
  aKey,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
} from '../support/builders.ts'
import { aCard, aConnection, SECRETS, tokenOf } from '../support/cards.ts'
import { askForToken } from '../support/mandate-tokens.ts'
import { aSpend } from '../support/spends.ts'

/** A successful call of an operation, and what is to be kept of it. */
export interface Scene {
  act(): Promise<Answer>
  /** Null: the call changes nothing that people have set. */
  readonly kept: { readonly operation: Operation; readonly subjectId?: string } | null
}

export interface SceneStage {
  readonly app: TestApp
  readonly acme: Owner
  /** Where a receiver may be, though nobody listens. */
  readonly hook: string
  /** Takes what must be kept nowhere. */
  hide(...secrets: readonly (string | null | undefined)[]): void
}

type Prepare = (stage: SceneStage) => Promise<Scene>

const aSettledSpend = async ({ acme }: SceneStage, fields: object = {}): Promise<string> => {
  const { agentId } = await anActiveMandate(acme)
  const spent = bodyOf(await acme.post('/gateway/evaluate', { ...aSpend(agentId), ...fields }))
  return spent.transactionId
}
const aHold = (stage: SceneStage) => aSettledSpend(stage, { hold: { expiresIn: '1h' } })

const nothing = (act: Scene['act']): Scene => ({ act, kept: null })
const one = (operation: Operation, subjectId: string | undefined, act: Scene['act']): Scene => ({
  act,
  kept: { operation, ...(subjectId !== undefined && { subjectId }) },
})

/** By the operations of the document that are no reading. */
export const SCENES: Readonly<Record<string, Prepare>> = {
  evaluate: async ({ acme }) => {
    const { agentId } = await anActiveMandate(acme)
    return nothing(() => acme.post('/gateway/evaluate', aSpend(agentId)))
  },
  simulate: async ({ acme }) => {
    const { agentId } = await anActiveMandate(acme)
    return nothing(() => acme.post('/gateway/simulate', aSpend(agentId)))
  },
  backtestMandate: async ({ acme }) => {
    const { id } = await anActiveMandate(acme)
    return nothing(() => acme.post(`/mandates/${id}/backtest`, { rules: [] }))
  },
  payX402: async ({ acme }) => {
    const { agentId } = await anActiveMandate(acme)
    await aWallet(acme)
    return nothing(() => acme.post('/gateway/x402/pay', aPayment(agentId)))
  },
  createWallet: async ({ acme, hook, hide }) =>
    one('wallet.created', undefined, async () => {
      const remote = { address: `0x${'12'.repeat(20)}`, signerUrl: hook }
      const answer = await acme.post('/wallets', { name: 'Remote', ...remote })
      hide(JSON.parse(answer.text).signerSecret)
      return answer
    }),
  createAcpCheckout: async ({ app, acme }) => {
    const shop = await openShop({ app, acme })
    const { agentId } = shop
    const checkoutSessionId = shop.merchant.openCheckout()
    return nothing(() => shop.ask({ agentId, vendor: HOST, checkoutSessionId }))
  },
  authorizeCard: async (stage) => {
    const desk = await openCardDesk(stage)
    return nothing(() => desk.ask())
  },
  tellCardEvent: async (stage) => {
    const desk = await openCardDesk(stage)
    await desk.ask({ authorizationId: 'told' })
    const captured = { authorizationId: 'told', amount: 30, currency: 'USD', final: true }
    return nothing(() => desk.tell('capture', captured))
  },
  createCard: async ({ acme }) => {
    const [{ id: agentId }, { id: connectionId }] = [await anAgent(acme), await aConnection(acme)]
    const body = { agentId, connectionId, externalId: 'ic_new' }
    return one('card.created', undefined, () => acme.post('/cards', body))
  },
  updateCard: async ({ acme }) => {
    const { id } = await aCard(acme)
    return one('card.updated', id, () => acme.patch(`/cards/${id}`, { status: 'paused' }))
  },
  createCardConnection: async ({ acme, hide }) =>
    one('card_connection.created', undefined, async () => {
      const body = { provider: 'stripe', name: 'Issuer', secrets: SECRETS }
      const answer = await acme.post('/card-connections', body)
      hide(tokenOf(answer.body.ingest), SECRETS.authorization, SECRETS.events)
      return answer
    }),
  updateCardConnection: async ({ acme, hide }) => {
    const { id } = await aConnection(acme, { secrets: SECRETS })
    const other = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
    return one('card_connection.updated', id, async () => {
      const body = { rotateToken: true, secrets: { events: other }, deadlineMs: 900 }
      const answer = await acme.patch(`/card-connections/${id}`, body)
      hide(tokenOf(answer.body.ingest), other)
      return answer
    })
  },
  introspectMandateToken: async ({ acme, hide }) => {
    const { agentId } = await anActiveMandate(acme)
    const { token } = JSON.parse((await askForToken(acme, { agentId })).text)
    hide(token)
    return nothing(() => acme.post('/gateway/mandate-token/introspect', { token }))
  },
  revokeMandateTokens: async ({ acme, hide }) => {
    const { agentId } = await anActiveMandate(acme)
    const { token, jti } = JSON.parse((await askForToken(acme, { agentId })).text)
    hide(token)
    return one('mandate_token.revoked', jti, () =>
      acme.post('/gateway/mandate-token/revoke', { jti }),
    )
  },
  createAgent: async ({ acme }) =>
    one('agent.created', undefined, () => acme.post('/agents', { name: 'Agent' })),
  updateAgent: async ({ acme }) => {
    const { id } = await anAgent(acme)
    return one('agent.updated', id, () => acme.patch(`/agents/${id}`, { status: 'paused' }))
  },
  deleteAgent: async ({ acme }) => {
    const { agentId } = await anActiveMandate(acme)
    await aCard(acme, { agentId })
    return one('agent.deleted', agentId, () => acme.delete(`/agents/${agentId}`))
  },
  createMandate: async ({ acme }) => {
    const { id: agentId } = await anAgent(acme)
    const body = { agentId, budgetTotal: 10 }
    return one('mandate.created', undefined, () => acme.post('/mandates', body))
  },
  updateMandate: async ({ acme }) => {
    const { id } = await anActiveMandate(acme)
    const rules = [{ type: 'amount', max: 5 }]
    return one('mandate.updated', id, () => acme.patch(`/mandates/${id}`, { rules }))
  },
  deleteMandate: async ({ acme }) => {
    const { id } = await aDraft(acme)
    return one('mandate.deleted', id, () => acme.delete(`/mandates/${id}`))
  },
  activateMandate: async ({ acme }) => {
    const { id } = await aDraft(acme)
    return one('mandate.activated', id, () => acme.post(`/mandates/${id}/activate`))
  },
  revokeMandate: async ({ acme }) => {
    const { id } = await anActiveMandate(acme)
    return one('mandate.revoked', id, () => acme.post(`/mandates/${id}/revoke`))
  },
  updateMandateBudget: async ({ acme }) => {
    const { id } = await anActiveMandate(acme)
    const body = { budgetTotal: 250 }
    return one('mandate.budget_changed', id, () => acme.patch(`/mandates/${id}/budget`, body))
  },
  settleTransaction: async (stage) => {
    const id = await aHold(stage)
    return one('transaction.settled', id, () => stage.acme.post(`/transactions/${id}/settle`))
  },
  voidTransaction: async (stage) => {
    const id = await aHold(stage)
    return one('transaction.voided', id, () => stage.acme.post(`/transactions/${id}/void`))
  },
  refundTransaction: async (stage) => {
    const id = await aSettledSpend(stage)
    return one('transaction.refunded', id, () => stage.acme.post(`/transactions/${id}/refund`))
  },
  decideApproval: async ({ app, acme }) => {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'approval', above: 5 }] })
    const id = await askFor(await aSpender(app, acme, agentId), agentId)
    return one('approval.decided', id, () => decideOn(acme, id))
  },
  createVendor: async ({ acme }) =>
    one('vendor.created', undefined, () => acme.post('/vendors', { host: 'new.example' })),
  updateVendor: async ({ acme }) => {
    const { id } = bodyOf(await acme.post('/vendors', { host: 'old.example' }))
    return one('vendor.updated', id, () => acme.patch(`/vendors/${id}`, { category: 'data' }))
  },
  createApiKey: async ({ acme, hide }) =>
    one('api_key.created', undefined, async () => {
      const answer = await acme.post('/api-keys', { name: 'Another' })
      hide(answer.body.apiKey)
      return answer
    }),
  revokeApiKey: async ({ app, acme, hide }) => {
    const { key } = await aKey(app, acme)
    hide(key.apiKey)
    return one('api_key.revoked', key.id, () => acme.delete(`/api-keys/${key.id}`))
  },
  updateOrganization: async ({ acme, hook }) =>
    one('organization.updated', undefined, () => acme.patch('/organization', { webhookUrl: hook })),
  rotateWebhookSecret: async ({ acme, hide }) =>
    one('organization.webhook_secret_rotated', undefined, async () => {
      const answer = await acme.post('/organization/webhook-secret/rotate')
      hide(answer.body.webhookSecret)
      return answer
    }),
  redeliver: async ({ acme, hook }) => {
    bodyOf(await acme.patch('/organization', { webhookUrl: hook }))
    const { id } = bodyOf(await acme.post('/webhooks/test', { event: 'transaction.approved' }))
    return nothing(() => acme.post(`/webhooks/deliveries/${id}/redeliver`))
  },
  sendTestEvent: async ({ acme, hook }) => {
    bodyOf(await acme.patch('/organization', { webhookUrl: hook }))
    return nothing(() => acme.post('/webhooks/test', { event: 'transaction.approved' }))
  },
}

const ISSUER = { issuer: 'delegate_payment', baseUrl: 'https://psp.example', paymentMethod: 'pm_1' }
const SHOP = {
  apiBaseUrl: 'https://old.example/acp',
  version: '2026-04-17',
  merchantIds: ['acct_1'],
}

/** Other ways to end or change something by the same operations. */
export const FURTHER: Readonly<Record<string, Prepare>> = {
  'a mandate that has ended is archived': async ({ acme }) => {
    const { id } = await aRevokedMandate(acme)
    return one('mandate.archived', id, () => acme.delete(`/mandates/${id}`))
  },
  'a draft of a next version is made': async ({ acme }) => {
    const body = { draftOf: (await anActiveMandate(acme)).id, budgetTotal: 20 }
    return one('mandate.created', undefined, () => acme.post('/mandates', body))
  },
  'tokens of a mandate are revoked': async ({ acme }) => {
    const { id } = await anActiveMandate(acme)
    const body = { mandateId: id }
    return one('mandate.tokens_revoked', id, () => acme.post('/gateway/mandate-token/revoke', body))
  },
  'an instrument is named': async ({ acme, hide }) => {
    const credential = 'sk_test_the_secret_of_an_instrument'
    hide(credential)
    const instruments = [{ id: 'card', label: 'Card', ...ISSUER, credential }]
    return one('organization.updated', undefined, () =>
      acme.patch('/organization', { acp: { instruments } }),
    )
  },
  'a vendor becomes a shop': async ({ acme, hide }) => {
    const { id } = bodyOf(await acme.post('/vendors', { host: 'old.example' }))
    const secrets = { credential: 'the-key-of-a-shop', webhookSecret: 'the-secret-of-a-shop' }
    hide(secrets.credential, secrets.webhookSecret)
    return one('vendor.updated', id, async () => {
      const answer = await acme.patch(`/vendors/${id}`, { acp: { ...SHOP, ...secrets } })
      hide(tokenOfShop(JSON.parse(answer.text).acp.orderUrl))
      return answer
    })
  },
  'tokens of an agent are revoked': async ({ acme }) => {
    const { id } = await anAgent(acme)
    const body = { agentId: id }
    return one('agent.tokens_revoked', id, () => acme.post('/gateway/mandate-token/revoke', body))
  },
}

function tokenOfShop(orderUrl: string): string | undefined {
  return /acp\/([^/]+)\/orders/.exec(orderUrl)?.[1]
}

import assert from 'node:assert/strict'
import {
  type Checkout,
  type CheckoutDraft,
  HANDLER_ID,
  toSession,
  totalOf,
} from './checkout-session.ts'
import { createFaults, type Faults } from './faults.ts'
import { createIdempotency, type Handled, refuse, sent } from './idempotency.ts'
import { type OrderNews, sendOrder } from './order-news.ts'
import { isPublished, violationOf } from './published.ts'
import { type StandIn, type StandInRequest, startStandIn } from './stand-in.ts'
import type { ChargeToken } from './tokens.ts'

type Call = 'look' | 'complete' | 'cancel'

/**
 * The result of the next completion of a checkout. With `charge_only` the money is taken, and the
 * session does not show it until it is finished.
 */
type Turn =
  | 'decline'
  | 'authentication'
  | 'requires_3ds'
  | 'in_progress'
  | 'escalation'
  | 'charge_only'

export interface MerchantOrder {
  readonly id: string
  readonly checkoutId: string
  readonly amountMinor: number
  readonly currency: string
  readonly token: string
}

/** A merchant that implements the protocol, over real HTTP. */
export interface Merchant extends StandIn, Pick<Faults<Call>, 'failNext'> {
  readonly credential: string
  readonly webhookSecret: string
  readonly merchantId: string
  readonly version: string
  /** The orders that it has sold. */
  readonly orders: readonly MerchantOrder[]
  /** Requests of ours that no published schema allows. */
  readonly violations: readonly string[]
  openCheckout(draft?: Partial<CheckoutDraft>): string
  change(id: string, change: Partial<Checkout>): void
  /** Applies after the next read, which still shows the old state. */
  changeAfterLook(id: string, change: Partial<Checkout>): void
  /** Applies when the completion arrives; no read shows it before. */
  changeAtCompletion(id: string, change: Partial<Checkout>): void
  turnNext(id: string, turn: Turn): void
  /** Ends a completion in progress, or creates the order that was charged. */
  finish(id: string, end: 'completed' | 'declined'): void
  checkout(id: string): Checkout
  /** Sends a signed order event. Returns the status of the answer. */
  sendOrder(url: string, checkoutId: string, news?: OrderNews): Promise<number>
}

interface MerchantSettings {
  readonly version?: string
  readonly merchantId?: string
  readonly psp?: string
  /** Charges a token. */
  readonly charge: ChargeToken
}

const CREDENTIAL = 'merchant-credential-1'
const WEBHOOK_SECRET = 'whsec_merchant_1'
const PAYABLE: readonly string[] = ['ready_for_payment', 'authentication_required']
const SESSIONS = /^\/acp\/checkout_sessions\/([^/]+)(?:\/(complete|cancel))?$/

let serial = 0

/**
 * Checks requests and its own answers against the published schemas, follows the rules for an
 * Idempotency-Key, and takes money only by a token.
 */
export async function startMerchant(settings: MerchantSettings): Promise<Merchant> {
  const { version = '2026-04-17', merchantId = 'acct_merchant_1', psp = 'stripe' } = settings
  const checkouts = new Map<string, Checkout>()
  const turns = new Map<string, Turn>()
  const afterLook = new Map<string, Partial<Checkout>>()
  const atCompletion = new Map<string, Partial<Checkout>>()
  const underWay = new Map<string, { readonly token: string; readonly isCharged: boolean }>()
  const orders: MerchantOrder[] = []
  const violations: string[] = []
  const faults = createFaults<Call>()
  const once = createIdempotency()

  const checkoutOf = (id: string): Checkout => {
    const checkout = checkouts.get(id)
    assert(checkout, `${id} is a checkout of this merchant`)
    return checkout
  }
  const change = (id: string, changes: Partial<Checkout>): Checkout => {
    const changed = { ...checkoutOf(id), ...changes }
    checkouts.set(id, changed)
    return changed
  }

  function show(id: string): Handled {
    const session = toSession(checkoutOf(id), version)
    if (isPublished(version)) {
      const wrong = violationOf(version, 'agentic_checkout', 'CheckoutSession', session)
      assert(wrong === undefined, `the stand-in shows what the schema allows: ${wrong}`)
    }
    return sent(200, session)
  }

  function look(id: string): Handled {
    const shown = show(id)
    change(id, afterLook.get(id) ?? {})
    afterLook.delete(id)
    return shown
  }

  function charge(id: string, token: string): boolean {
    const checkout = checkoutOf(id)
    const { currency, merchantId: payee } = checkout
    const amountMinor = totalOf(checkout)
    const paid = { token, merchantId: payee, sessionId: id, currency, amountMinor }
    return settings.charge(paid) === undefined
  }

  function sell(id: string, token: string): Handled {
    const checkout = checkoutOf(id)
    const { currency } = checkout
    const orderId = `ord_${orders.length + 1}_${id}`
    orders.push({ id: orderId, checkoutId: id, amountMinor: totalOf(checkout), currency, token })
    const permalink_url = `https://shop.example.com/orders/${orderId}`
    const order = { id: orderId, checkout_session_id: id, permalink_url, status: 'confirmed' }
    change(id, { status: 'completed', errors: [], order })
    return show(id)
  }

  function pay(id: string, token: string): Handled {
    return charge(id, token) ? sell(id, token) : decline(id)
  }

  function decline(id: string): Handled {
    change(id, { status: 'ready_for_payment', errors: ['payment_declined'] })
    return show(id)
  }

  function turn(id: string, token: string, hasResult: boolean): Handled | undefined {
    const planned = turns.get(id)
    if (planned === undefined) return undefined
    const asksPayer = planned === 'authentication' || planned === 'requires_3ds'
    if (hasResult || !asksPayer) turns.delete(id)
    return hasResult && asksPayer ? undefined : take(planned, id, token)
  }

  function take(planned: Turn, id: string, token: string): Handled {
    switch (planned) {
      case 'decline':
        return decline(id)
      case 'requires_3ds':
        return refuse(400, 'requires_3ds', { param: '$.authentication_result' })
      case 'authentication':
        change(id, { status: 'authentication_required', needsAuthentication: true })
        return show(id)
      case 'escalation':
        change(id, { status: 'requires_escalation' })
        return show(id)
      case 'in_progress':
        underWay.set(id, { token, isCharged: false })
        change(id, { status: 'complete_in_progress' })
        return show(id)
      case 'charge_only':
        if (!charge(id, token)) return decline(id)
        underWay.set(id, { token, isCharged: true })
        return show(id)
    }
  }

  function complete(id: string, { body }: StandInRequest): Handled {
    const wrong = violationOfCompletion(version, body)
    if (wrong !== undefined) {
      violations.push(wrong)
      return refuse(400, 'invalid_request_body', { message: wrong.slice(0, 200) })
    }
    const { status } = change(id, atCompletion.get(id) ?? {})
    atCompletion.delete(id)
    if (status === 'expired' || status === 'canceled') return show(id)
    if (!PAYABLE.includes(status)) return refuse(409, `session_${status}`)
    const { token, instrument } = body.payment_data
    const credential: string = token ?? instrument.credential.token
    return turn(id, credential, 'authentication_result' in body) ?? pay(id, credential)
  }

  function cancel(id: string): Handled {
    if (checkoutOf(id).status === 'completed') return refuse(405, 'session_already_completed')
    change(id, { status: 'canceled' })
    return show(id)
  }

  async function route(request: StandInRequest): Promise<Handled> {
    const { method, path, headers } = request
    const [, name = '', action] = SESSIONS.exec(path) ?? []
    const id = decodeURIComponent(name)
    const refusal = refusalOf(headers, version)
    if (refusal) return refusal
    if (!checkouts.has(id)) return refuse(404, 'not_found')
    if (method !== (action ? 'POST' : 'GET')) return refuse(405, 'method_not_allowed')
    return action ? act(action, id, request) : faults.run('look', async () => look(id))
  }

  async function act(action: string, id: string, request: StandInRequest): Promise<Handled> {
    const completes = action === 'complete'
    const carryOut = () =>
      faults.run(completes ? 'complete' : 'cancel', async () =>
        completes ? complete(id, request) : cancel(id),
      )
    const key = request.headers['idempotency-key']
    if (typeof key === 'string' && key.length <= 255) {
      return once(`${request.path} ${key}`, request.body, carryOut)
    }
    return version >= '2026-04-17' ? refuse(400, 'idempotency_key_required') : carryOut()
  }

  const server = await startStandIn(route)
  return {
    ...server,
    url: `${server.url}/acp`,
    credential: CREDENTIAL,
    webhookSecret: WEBHOOK_SECRET,
    merchantId,
    version,
    orders,
    violations,
    failNext: faults.failNext,
    openCheckout(draft = {}) {
      serial += 1
      const id = `cs_${process.pid}_${serial}`
      checkouts.set(id, {
        currency: 'usd',
        lines: [{ itemId: 'item_1', name: 'Toner', quantity: 1, unitMinor: 4_000 }],
        deliveryMinor: 500,
        merchantId,
        psp,
        status: 'ready_for_payment',
        ...draft,
        id,
        errors: [],
        order: undefined,
        needsAuthentication: false,
      })
      return id
    },
    change,
    changeAfterLook: (id, changes) => void afterLook.set(id, changes),
    changeAtCompletion: (id, changes) => void atCompletion.set(id, changes),
    turnNext: (id, next) => void turns.set(id, next),
    finish(id, end) {
      const completion = underWay.get(id)
      assert(completion, `the completion of ${id} is under way`)
      underWay.delete(id)
      const { token, isCharged } = completion
      if (end === 'declined') decline(id)
      else if (isCharged) sell(id, token)
      else pay(id, token)
    },
    checkout: checkoutOf,
    sendOrder: (url, checkoutId, news = {}) =>
      sendOrder(url, WEBHOOK_SECRET, checkoutOf(checkoutId), news),
  }
}

function refusalOf(headers: StandInRequest['headers'], version: string): Handled | undefined {
  if (headers.authorization !== `Bearer ${CREDENTIAL}`) return refuse(401, 'unauthorized')
  if (headers['api-version'] === version) return undefined
  return refuse(400, 'unsupported_version', { supported_versions: [version] })
}

function violationOfCompletion(version: string, body: StandInRequest['body']): string | undefined {
  if (isPublished(version)) {
    const wrong = violationOf(version, 'agentic_checkout', 'CheckoutSessionCompleteRequest', body)
    const handler = body?.payment_data?.handler_id
    return wrong ?? (handler === HANDLER_ID ? undefined : `${handler} is no handler`)
  }
  const { token, provider } = body?.payment_data ?? {}
  return typeof token === 'string' && typeof provider === 'string' ? undefined : 'no token'
}

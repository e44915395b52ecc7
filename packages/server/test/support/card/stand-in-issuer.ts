import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, ask } from '../../../../cli/src/trigger/ask.ts'
import type { Purchase } from '../../../src/paths/card/issuers/purchase.ts'
import { lithicProtocol } from './lithic-protocol.ts'
import type { Account, Movement } from './protocol.ts'
import { stripeProtocol } from './stripe-protocol.ts'

/** The gateway's addresses for this issuer, and the secrets that sign its messages. */
export interface Doors {
  readonly authorizationUrl: string
  readonly authorizationSecret: string
  readonly eventsUrl: string
  readonly eventsSecret: string
}

interface StandInOptions {
  /** How long it waits for an answer. Stripe waits two seconds, Lithic six. */
  readonly waitMs?: number
  /** Its own decision if there is no usable answer; Lithic always declines. */
  readonly onSilence?: 'approve' | 'decline'
}

/** The gateway's answer, and the issuer's decision. */
export interface Outcome {
  readonly authorizationId: string
  readonly isApproved: boolean
  readonly asked: Asked
}

const TRIES_MAX = 8
const FIRST_PAUSE_MS = 50

/**
 * A small card issuer that uses a real protocol over HTTP: it asks before it approves, waits for a
 * limited time, and then sends events about the money until they are acknowledged.
 */
export function createStandInIssuer(
  provider: 'stripe' | 'lithic',
  doors: Doors,
  options: StandInOptions = {},
) {
  const protocol = provider === 'stripe' ? stripeProtocol : lithicProtocol
  const { waitMs = protocol.waitMs, onSilence = 'decline' } = options
  const accounts = new Map<string, Account>()
  let latest = 0

  /**
   * Returns a later second than before, because issuers count in seconds and tests do more within
   * one.
   */
  function seconds(): number {
    latest = Math.max(latest + 1, secondsNow())
    return latest
  }

  /** Asks, decides by the answer or without one, and sends its decision as an event. */
  async function request(authorizationId: string, purchase: Purchase): Promise<Outcome> {
    const known = accounts.get(authorizationId) ?? opened(authorizationId, purchase)
    const body = JSON.stringify(protocol.toRequest({ ...known, purchase, seconds: seconds() }))
    const asked = await askFor(body)
    const answer = asked.kind === 'answer' && asked.status === 200 ? parsed(asked.body) : undefined
    const said = protocol.readAnswer(answer)
    const isApproved = said?.isApproved ?? onSilence === 'approve'
    const amount = said?.amount ?? purchase.amount
    const reason = reasonOf(said, asked)
    const decided = { amount, isApproved, reason, seconds: seconds() }
    const held = known.held + (isApproved ? amount : 0)
    const status = known.held > 0 || isApproved ? 'pending' : 'closed'
    await tell(
      { ...known, before: [...known.before, decided], held, status },
      { kind: 'authorization', amount, isApproved, isSilent: said === undefined },
    )
    return { authorizationId, isApproved, asked }
  }

  function opened(authorizationId: string, purchase: Purchase): Account {
    const nothing = { before: [], held: 0, movements: [], status: 'pending' } as const
    return { authorizationId, purchase, seconds: seconds(), ...nothing }
  }

  async function askFor(body: string): Promise<Asked> {
    const { authorizationUrl, authorizationSecret } = doors
    const post = () => {
      const headers = protocol.sign(body, authorizationSecret, secondsNow())
      return ask(authorizationUrl, headers, body, waitMs)
    }
    const first = await post()
    const failed = first.kind === 'failure' ? !first.isLate : first.status >= 500
    return failed && protocol.asksTwice ? post() : first
  }

  /** Adds a movement and sends the events that follow from it. */
  async function tell(
    account: Account,
    moved: Omit<Movement, 'id' | 'seconds' | 'isApproved' | 'isSilent'> & Partial<Movement>,
  ): Promise<void> {
    const at = seconds()
    const movement = { id: randomUUID(), isApproved: true, isSilent: false, ...moved, seconds: at }
    const changed = { ...account, seconds: at, movements: [...account.movements, movement] }
    accounts.set(account.authorizationId, changed)
    for (const event of protocol.toEvents(changed)) await deliver(JSON.stringify(event))
  }

  /** Retries until it is acknowledged, as issuers do for days. */
  async function deliver(body: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      const headers = protocol.sign(body, doors.eventsSecret, secondsNow())
      const sent = await ask(doors.eventsUrl, headers, body, 30_000)
      if (sent.kind === 'answer' && sent.status >= 200 && sent.status < 300) return
      if (tries === TRIES_MAX) throw new Error(`The events door: ${JSON.stringify(sent)}`)
      await sleep(FIRST_PAUSE_MS * 2 ** tries)
    }
  }

  function accountOf(authorizationId: string): Account {
    const account = accounts.get(authorizationId)
    if (!account) throw new Error(`There is no authorization ${authorizationId}.`)
    return account
  }

  return {
    authorize: (purchase: Purchase) => request(protocol.newId(), purchase),

    /** Requests an increment of an approved authorization. */
    increment(authorizationId: string, amount: number): Promise<Outcome> {
      const { purchase } = accountOf(authorizationId)
      return request(authorizationId, { ...purchase, amount })
    },

    /** The merchant captures its money: possibly more than was approved, and possibly late. */
    async capture(authorizationId: string, amount: number, isFinal = true): Promise<void> {
      const account = accountOf(authorizationId)
      const held = isFinal ? 0 : Math.max(0, account.held - amount)
      const status = held > 0 ? account.status : 'closed'
      await tell({ ...account, held, status }, { kind: 'capture', amount })
    },

    /** Releases a part, or all of it. */
    async reverse(authorizationId: string, amount?: number): Promise<void> {
      const account = accountOf(authorizationId)
      const held = amount === undefined ? 0 : Math.max(0, account.held - amount)
      const status = held > 0 ? 'pending' : 'reversed'
      const given = { kind: 'reversal', amount: account.held - held } as const
      await tell({ ...account, held, status }, given)
    },

    async expire(authorizationId: string): Promise<void> {
      const account = accountOf(authorizationId)
      const given = { kind: 'expiry', amount: account.held } as const
      await tell({ ...account, held: 0, status: 'expired' }, given)
    },

    async refund(authorizationId: string, amount: number): Promise<void> {
      await tell(accountOf(authorizationId), { kind: 'refund', amount })
    },

    /** Captures money without an authorization request. */
    async forceCapture(purchase: Purchase): Promise<string> {
      const account = opened(protocol.newId(), purchase)
      await tell({ ...account, status: 'closed' }, { kind: 'capture', amount: purchase.amount })
      return account.authorizationId
    },
  }
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1_000)
}

function reasonOf(said: { isApproved: boolean } | undefined, asked: Asked): string {
  if (said) return said.isApproved ? 'webhook_approved' : 'webhook_declined'
  return asked.kind === 'failure' && asked.isLate ? 'webhook_timeout' : 'webhook_error'
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

import { createHmac } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import type { Card } from '../../../src/paths/card/registry/card.ts'
import type { CardConnection } from '../../../src/paths/card/registry/connection.ts'
import { insertCard } from '../../../src/paths/card/storage/cards.ts'
import { insertConnection, replaceSecret } from '../../../src/paths/card/storage/connections.ts'
import { secretPurpose } from '../../../src/paths/card/storage/sealed-values.ts'
import { newToken, replaceIngestToken } from '../../../src/storage/ingest-tokens.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { createSealer } from '../../../src/storage/secrets/sealed.ts'
import { type Answer, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { shareApp } from '../../support/share-app.ts'
import { budgetOf, type TransactionBody } from '../../support/spends.ts'

type Fields = Readonly<Record<string, unknown>>

/** The key that test apps seal with. */
const sealer = createSealer(Buffer.alloc(32, 7))
const UNSET = { hint: null, previousUntil: null }

export const SECRETS = { authorization: 'whsec_YXV0aG9yaXphdGlvbg==', events: 'whsec_ZXZlbnRz' }

export interface DeskOptions {
  readonly app?: TestApp
  readonly acme?: Owner
  readonly budget?: number
  readonly mandate?: Fields
  readonly connection?: Partial<CardConnection>
  readonly card?: Partial<Card>
}

/** A card of an agent with a mandate, and its issuer. */
export interface CardDesk {
  readonly app: TestApp
  readonly acme: Owner
  readonly agentId: string
  readonly mandateId: string
  readonly connection: CardConnection
  readonly connectionId: string
  readonly card: Card
  readonly token: string
  /** Asks over the generic endpoint; every request is a purchase of its own unless it says so. */
  ask(fields?: Fields): Promise<Answer>
  /** Tells over the generic endpoint. */
  tell(type: string, fields?: Fields): Promise<Answer>
  /** Spent, held, left. */
  budget(): Promise<readonly number[]>
  transactions(): Promise<readonly TransactionBody[]>
}

/** Opens the desks of a file's tests on one app, each in its own organization. */
export function openDesksOnOneApp(): typeof openCardDesk {
  const app = shareApp()
  return async (options = {}) => {
    const desk = await openCardDesk({ app: await app(), ...options })
    onTestFinished(() => {
      desk.app.clock.now = undefined
    })
    return desk
  }
}

export async function openCardDesk(options: DeskOptions = {}): Promise<CardDesk> {
  const app = options.app ?? (await createTestApp())
  if (!options.app) onTestFinished(app.stop)
  const acme = options.acme ?? (await app.organization())
  const { id: mandateId, agentId } = await anActiveMandate(acme, {
    budgetTotal: options.budget ?? 100,
    ...options.mandate,
  })
  const { connection, token } = await aConnection(app, acme, options.connection)
  const card = await aCard(app, acme, { connectionId: connection.id, agentId, ...options.card })
  const connectionId = toPublicId('conn', connection.id)
  let count = 0
  return {
    app,
    acme,
    agentId,
    mandateId,
    connection,
    connectionId,
    card,
    token,
    ask(fields = {}) {
      count += 1
      const body = {
        connectionId,
        requestId: `request-${count}`,
        authorizationId: `authorization-${count}`,
        type: 'initial',
        card: { externalId: card.externalId },
        amount: 30,
        currency: 'USD',
        merchant: { name: 'EXAMPLE SAAS', id: '100200300400', mcc: '5734', country: 'US' },
        occurredAt: isoAt(count),
        ...fields,
      }
      return acme.post('/gateway/card/authorize', body)
    },
    tell(type, fields = {}) {
      count += 1
      const told = { connectionId, eventId: `event-${count}`, type, occurredAt: isoAt(count) }
      return acme.post('/gateway/card/events', { ...told, ...fields })
    },
    budget: () => budgetOf(acme, mandateId),
    async transactions() {
      const { body } = await acme.get(`/transactions?agentId=${agentId}`)
      return (body.data as unknown as TransactionBody[]).toReversed()
    },
  }
}

/** Seconds after each other, by the issuer's clock. */
export function isoAt(second: number): string {
  return new Date(Date.UTC(2026, 10, 1) + second * 1_000).toISOString()
}

export async function aConnection(
  app: TestApp,
  { organizationId }: Owner,
  fields: Partial<CardConnection> = {},
): Promise<{ readonly connection: CardConnection; readonly token: string }> {
  const now = app.time.estimate()
  const connection: CardConnection = {
    id: newId(now),
    provider: 'generic',
    name: 'Issuer',
    livemode: false,
    status: 'active',
    failMode: 'closed',
    failOpenMaxAmount: null,
    // Nothing here is about how fast a machine is, unless a test says so.
    deadlineMs: 600_000,
    partialApprovals: false,
    pauseOnOverCapture: false,
    authorizationSecret: UNSET,
    eventsSecret: UNSET,
    lastRequestAt: null,
    lastEventAt: null,
    unheardSince: null,
    createdAt: now,
    updatedAt: now,
    updatedBy: null,
    ...fields,
  }
  const { token, hash } = newToken()
  await app.database.db.transaction(async (tx) => {
    await insertConnection(tx, organizationId, connection)
    for (const statement of replaceIngestToken(organizationId, connection.id, hash, now)) {
      await tx.query(statement)
    }
    for (const [kind, secret] of Object.entries(SECRETS) as [keyof typeof SECRETS, string][]) {
      const sealed = sealer.seal(organizationId, secretPurpose(connection.id, kind), secret)
      tx.send(
        replaceSecret(organizationId, connection.id, {
          kind,
          sealed,
          hint: 'xx',
          previousUntil: now,
        }),
      )
    }
  })
  return { connection, token }
}

export async function aCard(
  app: TestApp,
  { organizationId }: Owner,
  fields: Pick<Card, 'connectionId' | 'agentId'> & Partial<Card>,
): Promise<Card> {
  const now = app.time.estimate()
  const card: Card = {
    id: newId(now),
    externalId: 'tok_1',
    last4: '4242',
    currency: 'USD',
    label: null,
    status: 'active',
    statusReason: null,
    providerStatus: null,
    metadata: {},
    createdAt: now,
    updatedAt: now,
    updatedBy: null,
    ...fields,
  }
  await app.database.db.transaction((tx) => insertCard(tx, organizationId, card))
  return card
}

/** What Stripe sends with these bytes. */
export function signedByStripe(
  body: string,
  secret: string,
  atMs: number = Date.now(),
): Record<string, string> {
  const time = Math.floor(atMs / 1_000)
  const hash = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${hash}` }
}

/** What Lithic sends with these bytes. */
export function signedByLithic(
  body: string,
  secret: string,
  atMs: number = Date.now(),
): Record<string, string> {
  const time = String(Math.floor(atMs / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hash = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': time,
    'webhook-signature': `v1,${hash}`,
  }
}

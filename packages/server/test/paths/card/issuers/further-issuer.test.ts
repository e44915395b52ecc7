import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toCardRequest } from '../../../../../cli/src/trigger/card-request.ts'
import { readDecision } from '../../../../../cli/src/trigger/read-answer.ts'
import { toRecipient } from '../../../../../cli/src/trigger/recipient.ts'
import { fromMinor } from '../../../../src/core/minor-unit.ts'
import { ISSUERS } from '../../../../src/paths/card/issuers/index.ts'
import type { CardRequest, Issuer, Unread } from '../../../../src/paths/card/issuers/issuer.ts'
import { createCardPath } from '../../../../src/paths/card/path.ts'
import { withSettings } from '../../../../src/paths/path.ts'
import { createTestApp, type Owner, type TestApp } from '../../../support/app.ts'
import { anActiveMandate } from '../../../support/builders.ts'
import { pathsOn } from '../../../support/paths.ts'

/*
 * A further issuer is one definition in the list of issuers. This one exists only here: nothing else
 * in the gateway or the command knows its name.
 */

const SECRET = 'acme_secret_of_authorizations'

interface Asked {
  readonly id: string
  readonly card: string
  readonly cents: number
  readonly shop: string
}

function signatureOf(body: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

function readRequest(body: unknown): CardRequest | Unread {
  const { id, card, cents, shop } = body as Asked
  return {
    kind: 'request',
    requestId: id,
    authorizationId: id,
    index: null,
    isLive: null,
    type: 'authorization',
    card: { externalId: card, last4: null, state: null },
    amount: fromMinor(cents, 'USD') ?? 0n,
    total: null,
    currency: 'USD',
    merchantAmount: null,
    merchantCurrency: null,
    merchant: { network: null, id: null, name: shop, url: null, mcc: '5734', country: 'US' },
    initiator: 'unknown',
    partialSupported: false,
    at: Date.now(),
    echo: null,
  }
}

const acmeBank: Issuer = {
  provider: 'acme_bank',
  title: 'Acme Bank',
  asks: 'may-i',
  verify: ({ body, header }, secret) => header('acme-signature') === signatureOf(body, secret),
  deadlineMs: 1_700,
  readRequest,
  readEvent: () => ({ unread: 'other', why: 'It sends no events.' }),
  answer: ({ isApproved, code }) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ verdict: isApproved ? 'yes' : 'no', code }),
  }),
  whyNoSecret: (secret) =>
    secret.startsWith('acme_') ? undefined : 'must begin with acme_, as Acme Bank shows it',
  trigger: {
    waitMs: 4_000,
    country: 'US',
    newAuthorizationId: randomUUID,
    toRequest: ({ authorizationId, purchase }) => ({
      id: authorizationId,
      card: purchase.card,
      cents: purchase.amount,
      shop: purchase.merchant.name,
    }),
    sign: (body, secret) => ({ 'acme-signature': signatureOf(body, secret) }),
    readAnswer: ({ verdict, code }) =>
      verdict === 'yes'
        ? { isApproved: true, isPartial: false }
        : { isApproved: false, reason: String(code) },
  },
}

const issuers = [...ISSUERS, acmeBank]
const input = { provider: 'acme_bank', name: 'Acme' }
let app: TestApp
let acme: Owner

beforeAll(async () => {
  const paths = pathsOn([]).map((path) =>
    path.name === 'card' ? withSettings(createCardPath(issuers), undefined) : path,
  )
  app = await createTestApp(undefined, { paths })
  acme = await app.organization()
})
afterAll(() => app?.stop())

/** Other apps of this process have no such issuer in their document, which the usual client checks. */
async function call(method: 'GET' | 'POST', path: string, body?: object) {
  const answer = await app.app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${acme.apiKey}` },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

test('a further issuer has settings, with its own deadline and addresses', async () => {
  const made = await call('POST', '/card-connections', input)
  expect(made).toMatchObject({
    status: 200,
    body: {
      provider: 'acme_bank',
      deadlineMs: 1_700,
      ingest: {
        authorizationUrl: expect.stringMatching(/\/ingest\/acme_bank\/[^/]+\/may-i$/),
        eventsUrl: expect.stringMatching(/\/ingest\/acme_bank\/[^/]+\/events$/),
      },
    },
  })
  const listed = await call('GET', '/card-connections?provider=acme_bank')
  expect(listed).toMatchObject({ status: 200, body: { data: [{ provider: 'acme_bank' }] } })
  const unknown = await call('POST', '/card-connections', { ...input, provider: 'other_bank' })
  expect(unknown.status).toBe(400)
})

test('a further issuer has its own check of secrets', async () => {
  const secrets = { authorization: 'whsec_of_somebody_else' }
  const refused = await call('POST', '/card-connections', { ...input, secrets })
  expect(refused).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          path: '/secrets/authorization',
          code: 'format',
          message: 'must begin with acme_, as Acme Bank shows it',
        },
      ],
    },
  })
})

test('the command plays a further issuer, and the gateway decides what it asks', async () => {
  const secrets = { authorization: SECRET }
  const { body: connection } = await call('POST', '/card-connections', { ...input, secrets })
  const { agentId } = await anActiveMandate(acme, { budgetTotal: 100 })
  const card = { connectionId: connection.id, externalId: 'card-1', agentId }
  expect((await call('POST', '/cards', card)).status).toBe(200)

  async function trigger(amount: number) {
    const url: string = connection.ingest.authorizationUrl
    const recipient = toRecipient({ url, secret: SECRET }, issuers)
    if ('mistake' in recipient) throw new Error(recipient.mistake)
    const merchant = { name: 'SHOP', id: '1', mcc: '5734', country: 'US' }
    const purchase = { card: 'card-1', amount, currency: 'USD', merchant, partialSupported: false }
    const seconds = Math.floor(Date.now() / 1_000)
    const request = toCardRequest(recipient, purchase, amount / 100, seconds)
    expect(request.waitMs).toBe(4_000)
    const headers = { 'content-type': 'application/json', ...request.headers }
    const answer = await app.app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      payload: request.body,
      headers,
    })
    return readDecision(recipient.issuer, answer.body)
  }

  expect(await trigger(6_000)).toBe('Approved')
  expect(await trigger(6_000)).toBe('Declined (budget_exceeded)')
})

import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { aCardNumber, asWritten, withCheckDigit } from '../support/card-numbers.ts'
import { aCard, SECRETS } from '../support/cards.ts'
import { exampleBody, listOperations, readDocument, resolveSchema } from '../support/operations.ts'
import { aSpend } from '../support/spends.ts'
import { dumpTables } from '../support/tables.ts'

/** Texts of the caller's own, in whichever body they are. */
const TOLD = ['reference', 'reason', 'description', 'name', 'label', 'category', 'comment']

const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) })
const app: TestApp = await createTestApp(undefined, {}, log)
const document = await readDocument(app.app)

type Case = readonly [what: string, method: 'POST' | 'PATCH', url: string, body: object]

/** A body for every such field of every operation; `number` takes the place of a text. */
function told(number: string): Case[] {
  return listOperations(document).flatMap((operation) => {
    const { operationId, method, path, body } = operation
    const schemas = body ? [body, ...(body.anyOf ?? [])] : []
    const fields = schemas.flatMap((schema) =>
      Object.keys(resolveSchema(document, schema).properties ?? {}),
    )
    const url = path.replace('/api/v1', '').replace('{id}', 'any')
    const good = exampleBody(document, operation) ?? {}
    const asCase = (field: string, value: unknown): Case => [
      `${operationId} ${field}`,
      method === 'PATCH' ? 'PATCH' : 'POST',
      url,
      { ...good, [field]: value },
    ]
    return [
      ...fields
        .filter((field) => field === 'card')
        .flatMap((field) => [
          asCase(field, { externalId: number }),
          asCase(field, { number: 'any' }),
        ]),
      ...fields.filter((field) => TOLD.includes(field)).map((field) => asCase(field, number)),
      ...fields
        .filter((field) => field === 'metadata')
        .flatMap((field) => [asCase(field, { a: number }), asCase(field, { [number]: 'a' })]),
    ]
  })
}

/** What is about cards is looked at as a whole. */
function aboutCards(number: string): Case[] {
  const connection = { provider: 'stripe', name: 'Issuer' }
  const vendor = { host: 'a.example' }
  const checkouts = '/gateway/acp/checkouts'
  return [
    ['card externalId', 'POST', '/cards', { externalId: number }],
    ['card last4', 'POST', '/cards', { last4: number }],
    ['card number', 'POST', '/cards', { number: 'any' }],
    ['card within', 'POST', '/cards', { card: { unknown: [number] } }],
    ['card as a number', 'POST', '/cards', { externalId: 4_242_424_242_424_242 }],
    ['card statusReason', 'PATCH', '/cards/any', { statusReason: number }],
    [
      'connection secret',
      'POST',
      '/card-connections',
      { ...connection, secrets: { events: number } },
    ],
    ['connection field', 'PATCH', '/card-connections/any', { cvc: '123' }],
    ['instrument', 'PATCH', '/organization', { acp: { instruments: [{ paymentMethod: number }] } }],
    ['alias of a vendor', 'POST', '/vendors', { ...vendor, cardAliases: [{ name: number }] }],
    ['buyer', 'POST', checkouts, { buyer: { first_name: number } }],
    ['card of a buyer', 'POST', checkouts, { buyer: { card_number: 'any' } }],
    ['billing address', 'POST', checkouts, { billingAddress: { line_one: number } }],
    [
      'proof of a payer',
      'POST',
      checkouts,
      { authenticationResult: { outcome_details: [number] } },
    ],
    ['instrument of a checkout', 'POST', checkouts, { instrumentId: number }],
  ]
}

describe('what looks like the number of a card', () => {
  let acme: Owner

  beforeAll(async () => {
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  test('is refused in every text of every body, and is in no row and no line of the log', async () => {
    const samples = fc.sample(fc.tuple(aCardNumber, asWritten), 3)
    const before = await dumpTables(app.database.db)
    for (const [number, write] of samples) {
      const text = write(number)
      const cases = [...told(text), ...aboutCards(text)]
      expect(cases.length).toBeGreaterThan(30)
      for (const [what, method, url, body] of cases) {
        const send = method === 'POST' ? acme.post : acme.patch
        const answer = await send(url, body)
        expect([answer.status, answer.body.code], `${what}: ${text}`).toEqual([
          422,
          'pan_not_allowed',
        ])
        expect(answer.text, what).not.toContain(text)
        expect(answer.text, what).not.toContain(number)
      }
      expect(logged.join('\n')).not.toContain(text)
    }
    expect(await dumpTables(app.database.db)).toBe(before)
  })

  test('is refused in the card that a body names, whatever else it is about', async () => {
    for (const card of [
      { externalId: '4242424242424242' },
      { number: 'any' },
      '4242424242424242',
    ]) {
      const { status, body } = await acme.post('/gateway/evaluate', { card })
      expect([status, body.code]).toEqual([422, 'pan_not_allowed'])
    }
  })

  test('names the field', async () => {
    const metadata = { note: 'paid with 4242-4242-4242-4242' }
    const { body } = await acme.post('/agents', { name: 'x', metadata })
    expect(body.errors).toMatchObject([{ path: '/metadata/note', code: 'card_number' }])
    expect(body.detail).toContain('/metadata/note')
  })

  test('is taken where networks and programs have ids of digits', async () => {
    const digits = withCheckDigit('555566667777888')
    const { agentId } = await anActiveMandate(acme)
    const headers = { 'idempotency-key': digits }
    bodyOf(
      await acme.post(
        '/gateway/evaluate',
        aSpend(agentId, { vendor: `${digits}.example` }),
        headers,
      ),
    )
    const cardAliases = [{ merchantId: digits, network: 'visa' }]
    bodyOf(await acme.post('/vendors', { host: `${digits}.example`, cardAliases }))
    bodyOf(await acme.post('/agents', { name: 'Numbered', externalId: digits }))
    const session = { agentId, vendor: `${digits}.example`, checkoutSessionId: digits }
    const checkout = await acme.post('/gateway/acp/checkouts', session, { 'idempotency-key': 'a' })
    expect(checkout.body.code).toBe('acp_vendor_unknown')
  })

  test('is not what the ids and the texts of every day look like', async () => {
    const metadata = { invoice: 'INV-2026-000417', trackingNumber: '1Z999AA10123456784' }
    const { id } = await aCard(acme, { label: 'Ads 2026-11', metadata })
    bodyOf(await acme.patch(`/cards/${id}`, { statusReason: 'Lost on 2026-11-15 09:30' }))
    const { agentId } = await anActiveMandate(acme)
    const spend = {
      reference: id,
      reason: `Order ${agentId}`,
      metadata: { number: '17', at: `${Date.now()}` },
    }
    bodyOf(await acme.post('/gateway/evaluate', aSpend(agentId, spend)))
    const body = { provider: 'lithic', name: 'Issuer', secrets: SECRETS }
    bodyOf(await acme.post('/card-connections', body))
  })
})

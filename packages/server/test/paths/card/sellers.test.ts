import { expect, test } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import { bodyOf } from '../../support/builders.ts'
import { type CardDesk, openCardDesk } from './desk.ts'

const HOST = 'api.saas.example'
const NAME = 'EXAMPLE SAAS INC'
const KNOWN = { name: NAME, id: '100200300400', mcc: '5734', country: 'US' }
const FORCED = { card: { externalId: 'tok_1' }, amount: 25, currency: 'USD' }

async function openWithVendor(mandate: object = {}): Promise<CardDesk> {
  const desk = await openCardDesk({ mandate: { ...mandate } })
  const cardAliases = [{ merchantId: KNOWN.id }, { name: NAME }]
  bodyOf(await desk.acme.post('/vendors', { host: HOST, category: 'cloud_data', cardAliases }))
  return desk
}

test('money of a declined purchase is booked at the vendor that was judged, although the directory has changed', async () => {
  const desk = await openWithVendor()
  const on = { authorizationId: 'authorization-1' }
  const { body } = await desk.ask({ ...on, amount: 500, merchant: KNOWN })
  expect(body).toMatchObject({ decision: 'rejected', vendor: HOST })
  const { data } = bodyOf(await desk.acme.get('/vendors'))
  const changed = { category: 'travel', cardAliases: [] }
  bodyOf(await desk.acme.patch(`/vendors/${data[0]?.id}`, changed))
  await desk.tell('capture', { ...FORCED, ...on, merchant: KNOWN })
  const [, recorded] = await desk.transactions()
  expect(recorded).toMatchObject({ code: 'recorded', vendor: HOST, category: 'cloud_data' })
})

test('money that nobody asked about is booked at the vendor that the directory knows', async () => {
  const desk = await openWithVendor()
  await desk.tell('capture', { ...FORCED, merchant: KNOWN, externalTransactionId: 'capture-1' })
  expect(await desk.transactions()).toMatchObject([
    { vendor: HOST, category: 'cloud_data', flags: ['ungoverned'] },
  ])
})

test('money that nobody asked about is flagged where the directory does not know the merchant', async () => {
  const desk = await openWithVendor()
  const merchant = { ...KNOWN, id: '5', name: 'OTHER' }
  await desk.tell('capture', { ...FORCED, merchant })
  const [recorded] = await desk.transactions()
  expect(recorded).toMatchObject({ category: 'software' })
  expect(recorded?.vendor).toMatch(/^other-[0-9a-f]{8}\.unrecognised\.invalid$/)
  expect(recorded?.flags).toEqual(['ungoverned', 'merchant_unrecognised'])
})

test('what is recorded names its connection and card as the API does', async () => {
  const desk = await openWithVendor()
  await desk.tell('capture', { ...FORCED, merchant: KNOWN, externalTransactionId: 'capture-1' })
  expect(await desk.transactions()).toMatchObject([
    {
      external: {
        connectionId: desk.connectionId,
        cardId: toPublicId('card', desk.card.id),
        authorizationId: 'capture-1',
        merchant: { name: NAME, id: KNOWN.id, network: null, mcc: '5734', country: 'US' },
      },
    },
  ])
})

test('a merchant that only has the name of a vendor does not have its category', async () => {
  const rules = [{ type: 'categories', allow: ['cloud_data'] }]
  const desk = await openWithVendor({ rules })
  expect((await desk.ask({ merchant: KNOWN })).body).toMatchObject({ decision: 'approved' })
  const { body } = await desk.ask({ merchant: { ...KNOWN, id: '666' } })
  expect(body).toMatchObject({ decision: 'rejected', category: 'software' })
})

test('what is asked after the first event of a purchase keeps its flags', async () => {
  const desk = await openCardDesk()
  const on = { authorizationId: 'one' }
  await desk.tell('provider_decision', { ...on, approved: false })
  await desk.ask(on)
  await desk.tell('capture', { ...on, amount: 30, currency: 'USD', final: true })
  expect(await desk.transactions()).toMatchObject([
    { status: 'settled', flags: ['merchant_unrecognised'] },
  ])
})

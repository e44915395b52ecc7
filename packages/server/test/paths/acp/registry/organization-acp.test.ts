import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  findInstrument,
  findUsedInstrument,
} from '../../../../src/paths/acp/storage/instruments.ts'
import { createSealer } from '../../../../src/storage/secrets/sealed.ts'
import { createTestApp, type Owner, type TestApp } from '../../../support/app.ts'
import { aKey, anAgent, bodyOf } from '../../../support/builders.ts'
import { withCheckDigit } from '../../../support/card-numbers.ts'
import { dumpTables } from '../../../support/tables.ts'

const sealer = createSealer(Buffer.alloc(32, 7))

const CARD = {
  id: 'company-card',
  label: 'Company card',
  issuer: 'stripe',
  paymentMethod: 'pm_1',
  credential: 'sk_live_first_1111',
} as const
const OTHER = {
  id: 'other-card',
  label: 'Other card',
  issuer: 'delegate_payment',
  baseUrl: 'https://1.1.1.1/sessions/',
  paymentMethod: 'stored-7',
  credential: 'provider-key-2222',
} as const

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  acme = await app.organization()
})

const give = (...instruments: object[]) => acme.patch('/organization', { acp: { instruments } })
const shown = async () => bodyOf(await acme.get('/organization')).acp?.instruments
const find = (agentId: string, id: string | null = null) =>
  findInstrument({ db: app.database.db, sealer }, acme.organizationId, { id, agentId })
const errorsOf = async (...instruments: object[]) => {
  const { status, body } = await give(...instruments)
  return [status, ...body.errors.map(({ path, code }) => `${path} ${code}`)]
}

describe('the ways to pay of an organization', () => {
  test('are none at first', async () => {
    expect(await shown()).toEqual([])
  })

  test('are shown with how their credentials end, and never with more of them', async () => {
    const { text } = await give(CARD, OTHER)
    const all = { credentialHint: '1111', baseUrl: null, agentIds: null }
    const { credential: _first, ...card } = CARD
    const { credential: _second, ...other } = OTHER
    const baseUrl = 'https://1.1.1.1/sessions'
    const instruments = [
      { ...card, ...all },
      { ...other, ...all, baseUrl, credentialHint: '2222' },
    ]
    expect(await shown()).toEqual(instruments)
    const answers = text + (await acme.get('/organization')).text
    const stored = await dumpTables(app.database.db)
    for (const { credential } of [CARD, OTHER]) {
      const bare = credential.slice(0, -4)
      expect(answers).not.toContain(bare)
      expect(stored).not.toContain(bare)
      expect(stored).not.toContain(Buffer.from(bare).toString('hex'))
    }
  })

  test('are replaced as a whole, and stay when others are changed', async () => {
    bodyOf(await give(CARD, OTHER))
    bodyOf(await acme.patch('/organization', { name: 'Renamed' }))
    expect(await shown()).toMatchObject([{ id: CARD.id }, { id: OTHER.id }])
    bodyOf(await give(OTHER))
    expect(await shown()).toMatchObject([{ id: OTHER.id }])
    bodyOf(await give())
    expect(await shown()).toEqual([])
  })

  test('keep the stored credential of the same id where none is given', async () => {
    bodyOf(await give(CARD, OTHER))
    const { credential: _, ...kept } = CARD
    const renamed = { ...kept, label: 'Renamed', paymentMethod: 'pm_2' }
    bodyOf(await give({ ...OTHER, credential: 'provider-key-3333' }, renamed))
    expect(await shown()).toMatchObject([
      { id: OTHER.id, credentialHint: '3333' },
      { id: CARD.id, label: 'Renamed', credentialHint: '1111' },
    ])
    const { id: agentId } = await anAgent(acme)
    expect(await find(agentId, CARD.id)).toMatchObject({ credential: CARD.credential })
    expect(await find(agentId, OTHER.id)).toMatchObject({ credential: 'provider-key-3333' })
  })

  test('need a credential for an id that has none', async () => {
    const { credential: _, ...without } = CARD
    expect(await errorsOf(without)).toEqual([400, '/acp/instruments/0/credential required'])
    bodyOf(await give(CARD))
    const { credential: _again, ...other } = OTHER
    expect(await errorsOf(CARD, other)).toEqual([400, '/acp/instruments/1/credential required'])
  })

  test('send a stored credential to no other address than before', async () => {
    bodyOf(await give(CARD, OTHER))
    const { credential: _, ...card } = CARD
    const { credential: _again, ...other } = OTHER
    const path = '/acp/instruments/0/credential required'
    const elsewhere = { baseUrl: 'https://1.0.0.1' }
    expect(await errorsOf({ ...card, ...elsewhere })).toEqual([400, path])
    expect(await errorsOf({ ...other, ...elsewhere })).toEqual([400, path])
    const asStripe = { ...other, issuer: 'stripe' }
    expect(await errorsOf(asStripe)).toEqual([400, path])
    // A slash at the end is no other address.
    bodyOf(await give(card, { ...other, baseUrl: 'https://1.1.1.1/sessions' }))
  })

  test.each([
    ['the same id twice', [CARD, CARD], '1/id duplicate'],
    ['a provider without an address', [{ ...OTHER, baseUrl: null }], '0/baseUrl required'],
    [
      'an address with a query',
      [{ ...OTHER, baseUrl: 'https://1.1.1.1/?a=b' }],
      '0/baseUrl format',
    ],
    [
      'the address of the call itself',
      [{ ...OTHER, baseUrl: 'https://1.1.1.1/a/agentic_commerce/delegate_payment' }],
      '0/baseUrl format',
    ],
    [
      'a version of the provider in the address',
      [{ ...CARD, baseUrl: 'https://1.1.1.1/v1/' }],
      '0/baseUrl format',
    ],
    ['an address inside', [{ ...OTHER, baseUrl: 'https://10.0.0.1' }], '0/baseUrl address_refused'],
    ['an address without TLS', [{ ...OTHER, baseUrl: 'http://1.1.1.1' }], '0/baseUrl url_refused'],
  ])('are refused with %s', async (_, instruments, error) => {
    expect(await errorsOf(...instruments)).toEqual([400, `/acp/instruments/${error}`])
    expect(await shown()).toEqual([])
  })

  test.each([
    ['more than 20', Array.from({ length: 21 }, (_, index) => ({ ...CARD, id: `card-${index}` }))],
    ['an unknown issuer', [{ ...CARD, issuer: 'adyen' }]],
    ['a credential that no header can hold', [{ ...CARD, credential: 'line\nbreak-1234' }]],
    ['a payment method with spaces', [{ ...CARD, paymentMethod: 'pm 1' }]],
    ['an empty list of agents, which could mean all', [{ ...CARD, agentIds: [] }]],
    ['a hint of the caller', [{ ...CARD, credentialHint: '1111' }]],
  ])('are refused with %s', async (_, instruments) => {
    expect((await give(...instruments)).status).toBe(400)
  })

  test.each(['id', 'label', 'paymentMethod', 'credential'])(
    'are refused with the number of a card as %s, and nothing of it is kept',
    async (field) => {
      const number = withCheckDigit('424242424242424')
      const { status, body } = await give({ ...CARD, [field]: number })
      expect([status, body.code]).toEqual([422, 'pan_not_allowed'])
      expect(await dumpTables(app.database.db)).not.toContain(number)
    },
  )

  test('can be changed by no key without the scope', async () => {
    const { client } = await aKey(app, acme, { scopes: ['organization:read', 'vendors:write'] })
    const { status } = await client.patch('/organization', { acp: { instruments: [CARD] } })
    expect(status).toBe(403)
  })
})

describe('a way to pay', () => {
  test('is the one that is named, or the first that the agent may use', async () => {
    const [first, second] = [await anAgent(acme), await anAgent(acme)]
    bodyOf(await give({ ...CARD, agentIds: [second.id] }, OTHER, { ...CARD, id: 'third' }))
    expect(await find(first.id)).toEqual({
      id: OTHER.id,
      issuer: 'delegate_payment',
      baseUrl: 'https://1.1.1.1/sessions',
      paymentMethod: OTHER.paymentMethod,
      credential: OTHER.credential,
    })
    expect(await find(second.id)).toMatchObject({ id: CARD.id, baseUrl: null })
    expect(await find(first.id, 'third')).toMatchObject({ id: 'third' })
    expect(await find(first.id, CARD.id)).toBeUndefined()
    expect(await find(first.id, 'unknown')).toBeUndefined()
  })

  test('is for no agent of another organization, and not for one that is not there', async () => {
    const globex = await app.organization('Globex')
    const stranger = await anAgent(globex)
    const path = '/acp/instruments/0/agentIds/0 unknown'
    expect(await errorsOf({ ...CARD, agentIds: [stranger.id] })).toEqual([400, path])
    bodyOf(await give(CARD))
    expect(bodyOf(await globex.get('/organization')).acp).toEqual({ instruments: [] })
    const agent = await anAgent(acme)
    bodyOf(await give({ ...CARD, agentIds: [agent.id] }))
    bodyOf(await acme.delete(`/agents/${agent.id}`))
    const other = await anAgent(acme)
    expect(await find(other.id)).toBeUndefined()
    expect(await errorsOf({ ...CARD, agentIds: [agent.id] })).toEqual([400, path])
  })

  test('is still found for what was begun with it, once the agent may use it no more', async () => {
    const [first, second] = [await anAgent(acme), await anAgent(acme)]
    bodyOf(await give({ ...CARD, agentIds: [second.id] }))
    expect(await find(first.id, CARD.id)).toBeUndefined()
    const parts = { db: app.database.db, sealer }
    const used = await findUsedInstrument(parts, acme.organizationId, CARD.id)
    expect(used).toMatchObject({ id: CARD.id, credential: CARD.credential })
    bodyOf(await give())
    expect(await findUsedInstrument(parts, acme.organizationId, CARD.id)).toBeUndefined()
  })
})

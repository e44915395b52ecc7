import { describe, expect, test } from 'vitest'
import type { DirectoryEntry } from '../../../../src/core/directory-entry.ts'
import type { Payee } from '../../../../src/core/payee.ts'
import { type Terms, toSpend, type Witness } from '../../../../src/paths/x402/offers/terms.ts'
import type { PayRequest } from '../../../../src/paths/x402/pay-request.ts'
import { asking, NETWORK, PAYEE, PAYER, someOffer, someV1Offer } from '../some-offer.ts'
import { NOON, payableOffer } from '../some-payment.ts'

const VENDOR = 'api.vendor.example'
const ADDRESS = PAYEE.toLowerCase()
const OTHER = `0x${'d1'.repeat(20)}`
const WITNESSES: readonly Witness[] = ['agent', 'vendor', 'vendor_denies']

const REQUEST: PayRequest = {
  organizationId: '0198c5a0-0000-7000-8000-0000000000bb',
  askedBy: { kind: 'key', id: '0198c5a0-0000-7000-8000-0000000000dd' },
  agentId: '0198c5a0-0000-7000-8000-0000000000ee',
  mode: 'sign',
  url: `https://${VENDOR}/v1/data`,
  vendor: VENDOR,
  paymentRequired: undefined,
  acceptIndex: undefined,
  maxAmount: undefined,
  walletId: undefined,
  category: 'data',
  reference: null,
  reason: null,
  metadata: null,
  call: { method: 'GET', headers: {}, body: undefined, timeoutMs: 1_000 },
  idempotency: null,
  receivedAt: NOON,
}

function entryWith(change: Partial<DirectoryEntry>): DirectoryEntry {
  return {
    id: '0198c5a0-0000-7000-8000-0000000000ff',
    host: VENDOR,
    name: null,
    category: null,
    payees: [],
    cardAliases: [],
    acp: null,
    createdAt: NOON,
    updatedAt: NOON,
    updatedBy: null,
    ...change,
  }
}

function termsWith(change: Partial<Terms> = {}): Terms {
  return {
    wallet: {
      id: '0198c5a0-0000-7000-8000-0000000000cc',
      name: 'main',
      address: PAYER,
      kind: 'local',
      signerUrl: null,
      createdAt: NOON,
      createdBy: null,
    },
    offer: payableOffer(2, someOffer(), PAYER),
    required: asking(2),
    directory: undefined,
    ...change,
  }
}

const payeeOf = (terms: Terms, witness: Witness) => toSpend(REQUEST, terms, witness, NOON).payee
const pinning = (...payees: readonly Payee[]) => termsWith({ directory: entryWith({ payees }) })

describe('the spend for an offer', () => {
  test('has its price, rounded up, and a hold that only the chain ends', () => {
    const spend = toSpend(REQUEST, termsWith(), 'agent', NOON)
    expect(spend).toMatchObject({ amount: 10_000n, currency: 'USD', vendor: VENDOR, path: 'x402' })
    expect(spend.holdMs).toBe(Number.POSITIVE_INFINITY)
  })

  test('has the category of the directory, and that of the agent if there is none', () => {
    const directory = entryWith({ category: 'llm' })
    const categoryOf = (terms: Terms) => toSpend(REQUEST, terms, 'agent', NOON).category
    expect(categoryOf(termsWith({ directory }))).toBe('llm')
    expect(categoryOf(pinning())).toBe('data')
    expect(categoryOf(termsWith())).toBe('data')
  })
})

describe('a payee that the directory pins', () => {
  test.each(WITNESSES)('is known, whatever the witness says (%s)', (witness) => {
    const terms = pinning(
      { network: NETWORK, address: OTHER },
      { network: NETWORK, address: ADDRESS },
    )
    expect(payeeOf(terms, witness)).toEqual({
      network: NETWORK,
      address: ADDRESS,
      assurance: 'payto_pinned',
      mismatch: null,
    })
  })

  test.each([
    ['address', { network: NETWORK, address: OTHER }],
    ['network', { network: 'eip155:8453', address: ADDRESS }],
  ])('is no other: the %s has to be the same', (_, pinned) => {
    for (const witness of WITNESSES) {
      const { assurance, mismatch } = payeeOf(pinning(pinned), witness)
      expect(assurance).not.toBe('payto_pinned')
      expect(mismatch).toContain(`lists payees for ${VENDOR}, but not ${ADDRESS}`)
    }
  })
})

describe('a payee that the directory does not pin', () => {
  test('is observed if the vendor itself makes the offer', () => {
    const { assurance, mismatch } = payeeOf(termsWith(), 'vendor')
    expect([assurance, mismatch]).toEqual(['gateway_observed', null])
  })

  test('is refused if the vendor makes a different offer', () => {
    const { assurance, mismatch } = payeeOf(pinning(), 'vendor_denies')
    expect(assurance).toBe('agent_claimed')
    expect(mismatch).toContain(`The gateway asked ${VENDOR}, and its offer differs`)
  })

  const SAME = `https://${VENDOR}/v1/other`
  const ELSEWHERE = 'https://api.elsewhere.example/v1/data'
  const v1 = (resource: unknown) =>
    termsWith({ required: asking(1), offer: payableOffer(1, someV1Offer({ resource }), PAYER) })
  const v2 = (resourceUrl: string | undefined) =>
    termsWith({ required: { ...asking(2), resourceUrl } })

  test.each([
    ['names this vendor (version 1)', v1(SAME)],
    ['names no vendor (version 1)', v1(undefined)],
    ['names this vendor', v2(SAME)],
    ['names no vendor', v2(undefined)],
  ])('is claimed by the agent if the request %s', (_, terms) => {
    const { assurance, mismatch } = payeeOf(terms, 'agent')
    expect([assurance, mismatch]).toEqual(['agent_claimed', null])
  })

  test.each([
    ['a different vendor (version 1)', v1(ELSEWHERE)],
    ['a different vendor', v2(ELSEWHERE)],
    ['no address', v2('not an address')],
  ])('is refused if the request names %s', (_, terms) => {
    expect(payeeOf(terms, 'agent').mismatch).toContain(`not for ${VENDOR}`)
    expect(payeeOf(terms, 'vendor').mismatch).toBeNull()
  })
})

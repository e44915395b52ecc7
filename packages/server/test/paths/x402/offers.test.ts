import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MICROS_MAX } from '../../../src/core/money.ts'
import { readOffers, toMicros } from '../../../src/paths/x402/offers/offers.ts'
import {
  asking,
  DOMAIN,
  NETWORK,
  PAYEE,
  PAYER,
  someOffer,
  someV1Offer,
  USDC,
} from './some-offer.ts'

const ENABLED = [NETWORK, 'eip155:4326']
const payer = { address: PAYER, isEnabled: (network: string) => ENABLED.includes(network) }

const read = (version: 1 | 2, ...accepts: readonly unknown[]) =>
  readOffers(asking(version, ...accepts), payer)

/** Why the only offer is refused, or that it is payable. */
function fateOf(offer: unknown, version: 1 | 2 = 2): string {
  const { payable, refused } = read(version, offer)
  expect(payable.length + refused.length).toBe(1)
  return refused[0]?.reason ?? 'payable'
}

describe('an offer that can be paid', () => {
  test('is read with our own knowledge of the token, and kept as it came', () => {
    const original = someOffer({ note: 'of the vendor', decimals: 18 })
    expect(read(2, original)).toEqual({
      payable: [
        {
          index: 0,
          asset: {
            network: NETWORK,
            chainId: 84_532,
            address: USDC.toLowerCase(),
            symbol: 'USDC',
            decimals: 6,
            currency: 'USD',
            domain: DOMAIN,
          },
          atomic: 10_000n,
          amount: 10_000n,
          payTo: PAYEE.toLowerCase(),
          maxTimeoutSeconds: 300,
          original,
        },
      ],
      refused: [],
    })
    expect(read(2, original).payable[0]?.original).toBe(original)
  })

  test('of version 1 names its network and its amount in its own way', () => {
    const [offer] = read(1, someV1Offer()).payable
    expect(offer).toMatchObject({ atomic: 10_000n, asset: { network: NETWORK } })
  })

  test.each([
    ['1', 1n],
    ['999', 999n],
    ['1000001', 1_000_001n],
    [String(MICROS_MAX), MICROS_MAX],
  ])('of %s atomic units is worth exactly as many micros', (amount, micros) => {
    const [offer] = read(2, someOffer({ amount })).payable
    expect([offer?.atomic, offer?.amount]).toEqual([BigInt(amount), micros])
  })

  test.each([
    ['a domain that is left out', { extra: undefined }],
    ['an extra of null', { extra: null }],
    ['a domain that is half left out', { extra: { version: '2' } }],
    ['the transfer method named', { extra: { ...DOMAIN, assetTransferMethod: 'eip3009' } }],
    ['the payment flow named', { extra: { ...DOMAIN, paymentFlow: 'authorization' } }],
    ['the token in lower case', { asset: USDC.toLowerCase() }],
    ['the shortest timeout', { maxTimeoutSeconds: 10 }],
    ['the longest timeout', { maxTimeoutSeconds: 86_400 }],
  ])('may have %s', (_, changes) => {
    expect(fateOf(someOffer(changes))).toBe('payable')
  })
})

describe('an offer is refused', () => {
  test.each([
    '0xF4240',
    ' 10000 ',
    '10000\n',
    '0',
    '00',
    '-5',
    '+5',
    '0.01',
    '1e6',
    '010',
    '1_000',
    '1,000',
    '１０',
    '',
    String(MICROS_MAX + 1n),
    String(2n ** 256n),
    '9'.repeat(79),
    10_000,
    ['10000'],
    { toString: () => '10000' },
    null,
    undefined,
  ])('with the amount %j', (amount) => {
    expect(fateOf(someOffer({ amount }))).toBe('amount_invalid')
  })

  test.each([
    ['nobody', `0x${'0'.repeat(40)}`],
    ['the payer', PAYER],
    ['the payer in other letters', `0x${PAYER.slice(2).toUpperCase()}`],
    ['the contract of the token', USDC],
    ['the contract of the token in other letters', USDC.toLowerCase()],
    ['an address that is too short', `0x${'a'.repeat(39)}`],
    ['an address that is too long', `0x${'a'.repeat(41)}`],
    ['an address without its prefix', 'a'.repeat(40)],
    ['a prefix in upper case', `0X${'a'.repeat(40)}`],
    ['letters that are not hexadecimal', `0x${'g'.repeat(40)}`],
    ['a line break behind it', `${PAYEE}\n`],
    ['a name', 'vendor.eth'],
    ['a list', [PAYEE]],
    ['nothing', undefined],
  ])('that pays %s', (_, payTo) => {
    expect(fateOf(someOffer({ payTo }))).toBe('payee_invalid')
  })

  test.each([9, 0, -60, 86_401, 315_360_000, 1.5, '300', Number.NaN, null, undefined])(
    'with the timeout %j',
    (maxTimeoutSeconds) => {
      expect(fateOf(someOffer({ maxTimeoutSeconds }))).toBe('timeout_out_of_range')
    },
  )

  test.each(['upto', 'batch-settlement', 'auth-capture', 'EXACT', 'exact ', '', null, undefined])(
    'with the scheme %j',
    (scheme) => {
      expect(fateOf(someOffer({ scheme }))).toBe('scheme_unsupported')
    },
  )

  test.each([
    ['transfer_method_unsupported', { assetTransferMethod: 'permit2' }],
    ['transfer_method_unsupported', { assetTransferMethod: 'erc7710' }],
    ['transfer_method_unsupported', { assetTransferMethod: null }],
    ['flow_not_allowed', { paymentFlow: 'upfront' }],
    ['flow_not_allowed', { paymentFlow: 'escrow' }],
    ['flow_not_allowed', { paymentFlow: null }],
    ['domain_mismatch', { name: 'USD Coin' }],
    ['domain_mismatch', { name: 'usdc' }],
    ['domain_mismatch', { version: '1' }],
    ['domain_mismatch', { version: 2 }],
    ['domain_mismatch', { name: null }],
  ])('as %s with %j', (reason, extra) => {
    expect(fateOf(someOffer({ extra: { ...DOMAIN, ...extra } }))).toBe(reason)
  })

  test.each([
    ['a token that nobody lists', { asset: PAYEE }],
    ['a token of another network', { asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }],
    [
      'a token that needs another way of transfer',
      { network: 'eip155:4326', asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7' },
    ],
    ['a symbol instead of an address', { asset: 'USDC' }],
    ['no token', { asset: undefined }],
  ])('with %s', (_, changes) => {
    expect(fateOf(someOffer(changes))).toBe('asset_not_allowed')
  })

  test.each([
    'eip155:8453',
    'base-sepolia',
    'EIP155:84532',
    'eip155:084532',
    '84532',
    84_532,
    null,
  ])('on the network %j', (network) => {
    expect(fateOf(someOffer({ network }))).toBe('network_not_enabled')
  })

  test.each([NETWORK, 'base', 'Base-Sepolia', '__proto__', 'constructor', undefined])(
    'on the network %j in version 1',
    (network) => {
      expect(fateOf(someV1Offer({ network }), 1)).toBe('network_not_enabled')
    },
  )

  test('that has its amount where the other version has it', () => {
    const first = someV1Offer({ maxAmountRequired: undefined, amount: '10000' })
    const second = someOffer({ amount: undefined, maxAmountRequired: '10000' })
    expect([fateOf(first, 1), fateOf(second, 2)]).toEqual(['amount_invalid', 'amount_invalid'])
  })

  test.each([null, undefined, 7, 'exact', true, [], [someOffer()]])('that is %j', (offer) => {
    expect(fateOf(offer)).toBe('malformed')
  })

  test.each(['USDC', 7, true, [], [DOMAIN]])('with the extra %j', (extra) => {
    expect(fateOf(someOffer({ extra }))).toBe('malformed')
  })
})

describe('a list of offers', () => {
  test('is sorted by price, and those of one price stay in the order of the vendor', () => {
    const amounts = ['30000', '9999', '20000', '9999', '0', '100000']
    const { payable, refused } = read(2, ...amounts.map((amount) => someOffer({ amount })))
    expect(payable.map(({ index }) => index)).toEqual([1, 3, 2, 0, 5])
    expect(refused).toEqual([{ index: 4, reason: 'amount_invalid' }])
  })

  test('is looked at up to the twentieth, however cheap the next one is', () => {
    const offers = Array.from({ length: 20 }, () => someOffer())
    const { payable, refused } = read(2, ...offers, someOffer({ amount: '1' }))
    expect(payable).toHaveLength(20)
    expect(refused).toEqual([{ index: 20, reason: 'not_looked_at' }])
  })

  test('may hold hostile keys, which mean nothing', () => {
    const parsed = (text: string): unknown => JSON.parse(text)
    const hidden = parsed(`{"__proto__":${JSON.stringify(someOffer())}}`)
    const disguised = {
      ...someOffer(),
      extra: parsed('{"__proto__":{"paymentFlow":"upfront"},"constructor":{"prototype":{"a":1}}}'),
    }
    expect([fateOf(hidden), fateOf(disguised)]).toEqual(['scheme_unsupported', 'payable'])
    expect(Object.keys(Object.prototype)).toEqual([])
    expect({}).not.toHaveProperty('scheme')
  })

  test('never throws, and never reads a sum or a payee that is not there as such', () => {
    const members = fc.constantFrom(...Object.keys(someOffer()))
    const changes = fc.dictionary(members, fc.jsonValue())
    fc.assert(
      fc.property(changes, (change) => {
        const offer = someOffer(change)
        for (const { atomic, payTo, maxTimeoutSeconds } of read(2, offer).payable) {
          expect(String(atomic)).toBe(offer['amount'])
          expect(payTo).toBe(String(offer['payTo']).toLowerCase())
          expect(maxTimeoutSeconds).toBe(offer['maxTimeoutSeconds'])
        }
      }),
    )
  })
})

test.each([
  [5n, 6, 5n],
  [5n, 2, 50_000n],
  [1n, 18, 1n],
  [10n ** 12n, 18, 1n],
  [10n ** 12n + 1n, 18, 2n],
  [2n * 10n ** 12n - 1n, 18, 2n],
  [12n, 7, 2n],
  [MICROS_MAX, 6, MICROS_MAX],
  [MICROS_MAX + 1n, 6, undefined],
  [MICROS_MAX * 10n ** 12n + 1n, 18, undefined],
])(
  'an amount of %d at %d decimals is never rounded down: %s micros',
  (atomic, decimals, micros) => {
    expect(toMicros(atomic, decimals)).toBe(micros)
  },
)

import { describe, expect, test } from 'vitest'
import { fromMinor, minorUnitOf, toMinor } from '../../../src/core/minor-unit.ts'
import { toVendor } from '../../../src/core/vendor.ts'
import { toCountry } from '../../../src/paths/card/mapping/country.ts'
import { categoryOfMcc, highRiskOf } from '../../../src/paths/card/mapping/mcc.ts'
import { CODES_BY_CATEGORY } from '../../../src/paths/card/mapping/mcc-table.ts'
import { normalizeName, unrecognisedVendor } from '../../../src/paths/card/mapping/merchant.ts'
import { sample } from '../../support/card/samples.ts'

describe('minor units', () => {
  test.each([
    ['USD', 4_900, 49_000_000n],
    ['JPY', 4_900, 4_900_000_000n],
    ['KWD', 4_900, 4_900_000n],
    ['HUF', 4_900, 49_000_000n],
    ['CLF', 4_900, 490_000n],
  ])('of %s are read and written', (currency, minor, micros) => {
    expect(fromMinor(minor, currency)).toBe(micros)
    expect(toMinor(micros, currency)).toBe(minor)
  })

  test('have the decimals of ISO 4217 in every currency', () => {
    const { default: usual, 0: none, 3: three, 4: four } = sample('currency-exponents')
    const wrong = (codes: string[], decimals: number) =>
      codes.filter((code) => fromMinor(10 ** decimals, code) !== 1_000_000n)
    expect([wrong(['USD', 'HUF', 'IDR', 'IRR'], usual), wrong(none, 0)]).toEqual([[], []])
    expect([wrong(three, 3), wrong(four, 4)]).toEqual([[], []])
  })

  test.each([1.5, Number.NaN, 2 ** 53, '4900', null, undefined])('%s is no amount', (minor) => {
    expect(fromMinor(minor, 'USD')).toBeUndefined()
  })

  test('are rounded down', () => {
    expect(toMinor(12_349_999n, 'USD')).toBe(1_234)
    expect(toMinor(12_349_999n, 'JPY')).toBe(12)
    expect(minorUnitOf('JPY')).toBe(1_000_000n)
  })
})

describe('the category of a merchant category code', () => {
  test.each([
    ['5734', 'software'],
    ['3000', 'travel'],
    ['3999', 'travel'],
    ['7995', 'gambling'],
    ['0000', 'other'],
    ['573', 'other'],
    ['03500', 'other'],
    [null, 'other'],
  ])('%s is %s', (mcc, category) => {
    expect(categoryOfMcc(mcc)).toBe(category)
  })

  test('is that of the table in every code', () => {
    const { codes, ranges } = sample('mcc')
    const told = [
      ...codes,
      ...ranges.flatMap(({ from, to, category }: Record<string, string>) => [
        { mcc: from, category },
        { mcc: to, category },
      ]),
    ].filter(({ mcc, category }) => categoryOfMcc(mcc) !== category)
    expect([codes.length, told]).toEqual([314, []])
    const listed = Object.values(CODES_BY_CATEGORY).flatMap((text) => text.trim().split(/\s+/))
    expect([listed.length, new Set(listed).size]).toEqual([314, 314])
    expect(Object.keys(CODES_BY_CATEGORY)).toEqual(
      sample('mcc').categories.map(({ id }: { id: string }) => id),
    )
  })

  test('tells what is of high risk', () => {
    expect(['6011', '7995', '5967', '5734'].map(highRiskOf)).toEqual([
      'cash_equivalent',
      'gambling',
      'adult',
      null,
    ])
  })
})

describe('a country', () => {
  test.each([
    ['USA', 'US'],
    ['gbr', 'GB'],
    ['DE', 'DE'],
    ['QZZ', 'XK'],
    ['ANT', 'AN'],
    ['XXX', null],
    ['1', null],
    [null, null],
  ])('%s is %s', (code, country) => {
    expect(toCountry(code)).toBe(country)
  })

  test('of three letters has two letters of its own', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const known = letters
      .flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
      .map((code) => toCountry(code))
      .filter((country) => country !== null)
    // All of ISO 3166-1, the Netherlands Antilles, and Kosovo under two codes.
    expect([known.length, new Set(known).size]).toEqual([252, 251])
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    expect(known.filter((country) => names.of(country) === undefined)).toEqual([])
  })
})

describe('a merchant', () => {
  const merchant = { network: 'visa', id: '100200300400', name: 'EXAMPLE SAAS INC', url: null }

  test.each([
    ['SQ *Corner Cafe #42', 'CORNER CAFE'],
    ['PAYPAL *EXAMPLE 402-935-7733', 'EXAMPLE'],
    ['Ｅｘａｍｐｌｅ  SaaS', 'EXAMPLE SAAS'],
    ['7-Eleven', '7-ELEVEN'],
  ])('%s is compared as %s', (name, normal) => {
    expect(normalizeName(name)).toBe(normal)
  })

  test('that nobody knows is a host that nobody owns', () => {
    const vendor = unrecognisedVendor(merchant)
    expect(vendor).toMatch(/^example-saas-inc-[0-9a-f]{8}\.unrecognised\.invalid$/)
    expect(toVendor(vendor)).toBe(vendor)
  })

  test('is another one under another id, and the same under another name of its own', () => {
    const [, hash] = unrecognisedVendor(merchant).split(/-(?=[0-9a-f]{8}\.)/)
    expect(unrecognisedVendor({ ...merchant, id: '1' })).not.toBe(unrecognisedVendor(merchant))
    expect(unrecognisedVendor({ ...merchant, name: 'OTHER' })).toBe(`other-${hash}`)
  })

  test('without an id is the same only under the same name, in whatever letters', () => {
    const vendorOf = (name: string) => unrecognisedVendor({ ...merchant, id: null, name })
    expect(vendorOf('Example SaaS Inc #42')).toBe(vendorOf('EXAMPLE SAAS INC'))
    expect(vendorOf('株式会社')).not.toBe(vendorOf('有限会社'))
  })

  test.each(['', '***', '株式会社', 'a'.repeat(300)])('named %s is a valid host', (name) => {
    const vendor = unrecognisedVendor({ ...merchant, name })
    expect(toVendor(vendor)).toBe(vendor)
  })
})

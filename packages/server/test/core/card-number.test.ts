import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCardNumber, holdsCardNumber, maskCardNumber } from '../../src/core/card-number.ts'
import { COUNT_MAX, toPublicId, uuidV7 } from '../../src/core/id.ts'
import { aCardNumber, asWritten, withCheckDigit } from '../support/card-numbers.ts'
import { runsOf } from '../support/sized.ts'

const VISA = '4242424242424242'
const cards = (...exempt: readonly string[]) =>
  ({ isAboutCards: true, exempt: new Set(exempt) }) as const

describe('the number of a card', () => {
  test('is found however it is written', () => {
    fc.assert(
      fc.property(aCardNumber, asWritten, (number, write) => {
        expect(holdsCardNumber(write(number)), write(number)).toBe(true)
      }),
      { numRuns: runsOf(500, 2_000) },
    )
  })

  test.each([
    ['4111 1111 1111 1111 5555 5555 5555 4444', 'two in a row'],
    ['４２４２４２４２４２４２４２４２', 'digits of another width'],
    ['378282246310005', 'of 15 digits'],
    ['4222222222222', 'of 13 digits'],
    ['2223003122003222', 'of the newer series'],
    ['4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2', 'groups of one digit'],
  ])('is found in %s', (text) => {
    expect(holdsCardNumber(text)).toBe(true)
  })

  test('is found with a point, an underscore or a slash between all its groups', () => {
    const sizes = fc.constantFrom(
      ...[
        [4, 4, 4, 4],
        [4, 4, 4, 4, 3],
        [4, 4, 4, 2],
        [4, 4, 5],
        [4, 6, 5],
        [4, 6, 4],
        [8, 8],
      ],
    )
    const separator = fc.constantFrom('.', '_', '/')
    const around = fc.constantFrom(
      ...[
        ['', ''],
        ['card ', '.'],
        ['order_', ' exp 12/30'],
        ['PAN:', ')'],
        ['12_17_', '_9'],
      ],
    )
    const first = fc.integer({ min: 21, max: 69 })
    const digits = fc.stringMatching(/^[0-9]{20}$/)
    fc.assert(
      fc.property(first, digits, sizes, separator, around, (two, more, form, sign, beside) => {
        // Digits, one point and digits are a decimal.
        fc.pre(form.length > 2 || sign !== '.')
        const length = form.reduce((sum, size) => sum + size, 0)
        const number = withCheckDigit(`${two}${more}`.slice(0, length - 1))
        const ends = form.map((_, at) => form.slice(0, at + 1).reduce((sum, size) => sum + size, 0))
        const groups = ends.map((end, at) => number.slice(ends[at - 1] ?? 0, end))
        fc.pre(!groups.some((group) => /^20\d\d[01]\d[0-3]\d$/.test(group)))
        const text = beside.join(groups.join(sign))
        expect(holdsCardNumber(text), text).toBe(true)
      }),
      { numRuns: runsOf(1_000, 5_000) },
    )
    for (const text of ['4242.4242.4242.4242', '3782/822463/10005', '42424242_42424242']) {
      expect(holdsCardNumber(text), text).toBe(true)
    }
  })

  test('is never a time, a build, an order, a place, a path or an amount with signs between', () => {
    const date = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    })
    const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))
    const text = fc
      .tuple(date, digits(10), digits(7), digits(7), digits(8))
      .map(([at, ten, seven, other, eight]) => {
        const [day = '', time = ''] = at
          .toISOString()
          .replace(/[-:.Z]/g, '')
          .split('T')
        const [year, month, monthDay] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)]
        const [hour, minute, second] = [time.slice(0, 2), time.slice(2, 4), time.slice(4, 6)]
        const path = `${year}/${month}/${monthDay}`
        return [
          `report_${day}_${time.slice(0, 6)}.csv`,
          `report_${day}_${eight}.csv`,
          `${eight}_${day}`,
          `3.14.${day}.${time.slice(0, 6)}`,
          `5.${day}.${time}`,
          `4.${eight}.${eight}`,
          `${ten}/00010`,
          `52.${seven}_13.${other}`,
          `52.${seven}/13.${other}`,
          `logs/${path}/${hour}/${minute}/${second}/${time.slice(0, 6)}`,
          `${year}/${ten.slice(0, 4)}/${ten.slice(4, 8)}/${eight.slice(0, 4)}`,
          `${seven.slice(0, 1)}.${ten.slice(0, 3)}.${ten.slice(3, 6)}.${ten.slice(6, 9)}.${other.slice(0, 3)}`,
        ]
      })
    fc.assert(
      fc.property(text, (texts) => {
        expect(texts.filter(holdsCardNumber)).toEqual([])
      }),
      { numRuns: runsOf(500, 2_000) },
    )
  })

  test('is looked for in time that grows with the text only', () => {
    // No part holds a number, so all of the text is read. A search that begins anew at each group would take minutes.
    const times = 40_000
    for (const part of [
      '1 ',
      '2.',
      '2_',
      '2/',
      '1-',
      '4a',
      '1',
      '1111 1111.',
      '1/1.',
      '0.11111111 ',
    ]) {
      expect(holdsCardNumber(`${part.repeat(times)}a1`), part).toBe(false)
    }
  })

  test('is never a decimal', () => {
    const digits = fc.stringMatching(/^[0-9]{1,20}$/)
    const decimal = fc.oneof(
      fc.tuple(digits, digits).map(([whole, part]) => `${whole}.${part}`),
      fc.double({ noNaN: true }).map(String),
      // Those that would be a number of a card on one side of the point, or without it.
      fc.tuple(aCardNumber, digits).map(([number, more]) => `${number}.${more}`),
      fc.tuple(digits, aCardNumber).map(([more, number]) => `${more}.${number}`),
      aCardNumber.map((number) => `${number.slice(0, 5)}.${number.slice(5)}`),
    )
    const around = fc.constantFrom(
      (text: string) => text,
      (text: string) => `-${text} EUR`,
      (text: string) => `The rate is ${text}.`,
      (text: string) => `${text}, ${text}`,
    )
    fc.assert(
      fc.property(decimal, around, (text, write) => {
        // What is no decimal, such as 4e20, may be one.
        fc.pre(/^-?\d+\.\d+/.test(text))
        expect(holdsCardNumber(write(text)), write(text)).toBe(false)
      }),
      { numRuns: runsOf(1_000, 5_000) },
    )
    expect(findCardNumber({ rate: 0.4539578763621486 })).toBeUndefined()
    expect(holdsCardNumber('0.4539578763621486 0.4539578763621486')).toBe(false)
  })

  test('is found where a price follows it', () => {
    expect(holdsCardNumber('4242 4242 4242 4242.50')).toBe(true)
    expect(holdsCardNumber('4242424242424242 0.50')).toBe(true)
    expect(holdsCardNumber('42424242 42424242.50')).toBe(true)
    expect(holdsCardNumber('42424242-42424242.50 EUR')).toBe(true)
    expect(holdsCardNumber('4242 4242 4242 4242.12345678')).toBe(true)
  })

  test('is no decimal behind another number', () => {
    for (const text of [
      '17 0.4539578763621486',
      '3 1000000.4539578763621486',
      '2 4242424242424242.50',
      '17-0.4539578763621486 0.4539578763621486',
      '2 pieces of 4242424242424242.50',
    ]) {
      expect(holdsCardNumber(text), text).toBe(false)
    }
  })

  test('is no date in an address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e6, max: 1e9 }), (id) => {
        expect(holdsCardNumber(`https://shop.example/2026/11/17/${id}`)).toBe(false)
      }),
    )
  })

  test('is not what fails the check, begins otherwise, or is too short or too long', () => {
    for (const text of [
      '4242424242424241',
      withCheckDigit('123456789012345'),
      withCheckDigit('723456789012345'),
      withCheckDigit('42424242424'),
      withCheckDigit('4242424242424242424'),
    ]) {
      expect(holdsCardNumber(text), text).toBe(false)
    }
  })

  test('is never an id of ours, a UUID, a hash, an address or a token', () => {
    const bytes = (count: number) => fc.uint8Array({ minLength: count, maxLength: count })
    const ids = fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
      // Digits only, as some random ids are.
      fc.stringMatching(/^[0-9]{8}-[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{12}$/),
      fc
        .tuple(fc.integer({ min: 1.7e12, max: 2e12 }), fc.nat(COUNT_MAX), fc.uuid({ version: 4 }))
        .map(([at, count, random]) => toPublicId('txn', uuidV7(at, count, random))),
      bytes(32).map((hash) => Buffer.from(hash).toString('hex')),
      bytes(20).map((address) => `0x${Buffer.from(address).toString('hex')}`),
      bytes(32).map((token) => Buffer.from(token).toString('base64url')),
    )
    const around = fc.constantFrom(
      (id: string) => id,
      (id: string) => `order ${id} of today`,
      (id: string) => `${id}:${id}`,
    )
    fc.assert(
      fc.property(ids, around, (id, write) => {
        expect(holdsCardNumber(write(id)), write(id)).toBe(false)
      }),
      { numRuns: runsOf(1_000, 5_000) },
    )
  })

  test('is never a time or a telephone', () => {
    const at = fc.integer({ min: 1.5e12, max: 2e12 - 1 })
    fc.assert(
      fc.property(at, (ms) => {
        const iso = new Date(ms).toISOString()
        for (const text of [`${ms}`, `${ms * 1_000}`, iso, iso.replace('T', ' ').slice(0, 19)]) {
          expect(holdsCardNumber(text), text).toBe(false)
        }
      }),
    )
    expect(holdsCardNumber(`+${withCheckDigit('491701234567')}`)).toBe(false)
  })

  test('is looked for in every field, and its place is told without repeating it', () => {
    const number = VISA
    expect(findCardNumber({ a: [{ 'b/c~': number }] })).toBe('/a/0/b~1c~0')
    expect(findCardNumber({ a: 4_242_424_242_424_242 })).toBe('/a')
    expect(findCardNumber({ a: 'x', b: [1, number] })).toBe('/b/1')
    expect(findCardNumber({ metadata: { [`of ${number}`]: 'x' } })).toBe('/metadata')
    expect(findCardNumber({ a: 'x', b: [1, null, true], c: { d: 'e' } })).toBeUndefined()
  })

  test('leaves four digits at most where a text is shown', () => {
    fc.assert(
      fc.property(aCardNumber, asWritten, (number, write) => {
        expect(maskCardNumber(number)).toBe(`…${number.slice(-4)}`)
        expect(maskCardNumber(write(number))).toMatch(/^…\d{4}$/)
      }),
    )
    expect(maskCardNumber('ic_1MvSieLkdIwHu7ix')).toBe('ic_1MvSieLkdIwHu7ix')
  })

  test('is not what stands in an instant', () => {
    expect(holdsCardNumber('2026-11-15T09:30:00.000000000Z')).toBe(false)
  })

  test('is exempt in fields that networks give ids in', () => {
    const body = { merchant: { id: VISA, name: 'Shop' } }
    expect(findCardNumber(body, cards('id'))).toBeUndefined()
    expect(findCardNumber({ ...body, merchant: { name: VISA } }, cards('id'))).toBe(
      '/merchant/name',
    )
  })

  test('is what a field is called, and so are codes and tracks', () => {
    for (const name of [
      'pan',
      'PAN',
      'cvc',
      'cvv2',
      'cardNumber',
      'card_number',
      'track2',
      'trackData',
    ]) {
      expect(findCardNumber({ [name]: 'x' }), name).toBe(`/${name}`)
    }
    for (const name of ['number', 'tracking', 'trackingNumber', 'company', 'cv']) {
      expect(findCardNumber({ [name]: 'x' }), name).toBeUndefined()
    }
    expect(findCardNumber({ number: 'x' }, cards())).toBe('/number')
  })
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { paint } from '../src/output/color.ts'
import { toMoneyText } from '../src/output/money.ts'
import { plainLines, toJson } from '../src/output/plain.ts'
import { type Column, SHORT, toTable } from '../src/output/table.ts'
import { cut, widthOf } from '../src/output/width.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly amount: number
}

const columns: readonly Column<Row>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name, shrinksTo: SHORT },
  { title: 'AMOUNT', text: ({ amount }) => amount, align: 'right', color: () => 'green' },
]
const rows: readonly Row[] = [
  { id: 'agt_1', name: 'A buyer with a very long name', amount: 5 },
  { id: 'agt_2', name: '日本語', amount: 1250 },
]

afterEach(() => {
  vi.unstubAllEnvs()
  Object.assign(process.stdout, before)
})
const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns }

function atTerminal(width: number): void {
  Object.assign(process.stdout, { isTTY: true, columns: width })
}

describe('a table', () => {
  test('in a pipe cuts nothing and has no colours', () => {
    Object.assign(process.stdout, { isTTY: false })
    expect(toTable(rows, columns)).toEqual([
      'ID     NAME                           AMOUNT',
      'agt_1  A buyer with a very long name       5',
      'agt_2  日本語                           1250',
    ])
  })

  test('at a terminal fits the width, and keeps ids whole', () => {
    vi.stubEnv('NO_COLOR', '1')
    atTerminal(30)
    const lines = toTable(rows, columns)
    expect(lines[1]).toBe('agt_1  A buyer with a…       5')
    expect(lines.every((line) => widthOf(line) <= 30)).toBe(true)
  })

  test('leaves out spare columns that do not fit, the lowest number first', () => {
    vi.stubEnv('NO_COLOR', '1')
    const spare: readonly Column<Row>[] = [
      ...columns,
      { title: 'FIRST', text: () => 'first', spare: 2 },
      { title: 'SECOND', text: () => 'second', spare: 1 },
    ]
    const headsAt = (width: number) => {
      atTerminal(width)
      return toTable(rows, spare)[0]?.split(/ +/)
    }
    expect(headsAt(43)).toEqual(['ID', 'NAME', 'AMOUNT', 'FIRST', 'SECOND'])
    expect(headsAt(35)).toEqual(['ID', 'NAME', 'AMOUNT', 'FIRST'])
    expect(headsAt(23)).toEqual(['ID', 'NAME', 'AMOUNT'])
    expect(toTable(rows, spare)[1]).toBe('agt_1  A buyer…       5')
    atTerminal(16)
    expect(toTable(rows, spare).slice(0, 5).at(-1)).toBe('SECOND  second')
  })

  test('becomes blocks at a terminal that is too narrow', () => {
    vi.stubEnv('NO_COLOR', '1')
    atTerminal(16)
    expect(toTable(rows, columns).slice(0, 4)).toEqual([
      'ID      agt_1',
      'NAME    A buyer with a very long name',
      'AMOUNT  5',
      '',
    ])
  })

  test('replaces control characters of other parties', () => {
    Object.assign(process.stdout, { isTTY: false })
    const [, line] = toTable([{ id: 'a', name: 'x\u001b[2K\ny', amount: 1 }], columns)
    expect(line).toContain('x?[2K?y')
  })
})

test.each([
  ['NO_COLOR', '1'],
  ['TERM', 'dumb'],
])('%s turns colours off', (name, value) => {
  vi.stubEnv('NO_COLOR', '')
  vi.stubEnv('TERM', 'xterm')
  atTerminal(80)
  expect(paint('approved', 'green')).toBe('\u001b[32mapproved\u001b[0m')
  vi.stubEnv(name, value)
  expect(paint('approved', 'green')).toBe('approved')
})

test('a text is cut by its columns, not by its characters', () => {
  expect(cut('日本語テスト', 7)).toBe('日本語…')
  expect(cut('short', 5)).toBe('short')
})

test('JSON has the same value without raw control characters', () => {
  const value = { text: 'a\u009b2J\u202eb\u{e0001}' }
  const json = toJson(value)
  expect(json).toBe('{"text":"a\\u009b2J\\u202eb\\udb40\\udc01"}')
  expect(JSON.parse(json)).toEqual(value)
})

test('a text of several lines keeps its lines', () => {
  expect(plainLines('a\u001b[1A\n\tb\r')).toBe('a?[1A\n\tb?')
})

test.each([
  [5, 'USD', '5.00 USD'],
  [1480.5, 'EUR', '1480.50 EUR'],
  [0.000125, 'USDC', '0.000125 USDC'],
  [500, 'JPY', '500 JPY'],
  [1.5, 'KWD', '1.500 KWD'],
  [3, null, '3.00'],
])('the amount %d %s is shown as %s', (amount, currency, text) => {
  expect(toMoneyText(amount, currency)).toBe(text)
})

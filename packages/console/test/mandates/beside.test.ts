import type { MandateVersion } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import { compareLines } from '../../src/screens/mandates/editor/beside/json-lines.ts'
import {
  draftTest,
  firstTest,
  parseTest,
  testText,
} from '../../src/screens/mandates/editor/beside/test-input.ts'
import { chosenPair } from '../../src/screens/mandates/versions/chosen-pair.ts'

describe('the tested spend in the address', () => {
  it.each(['297,sas.se,travel', '297,sas.se,travel,card', '1,a.se,b,evaluate,2026-11-18T09:00'])(
    'reads and writes %s',
    (text) => {
      const test = parseTest(text)
      expect(test && testText(test)).toBe(text)
    },
  )

  it('judges a form without a mandate by its rules, budget and currency', () => {
    const test = parseTest('297,sas.se,travel,card') ?? expect.fail()
    const form = { agentId: 'agent', timezone: 'UTC' } as never
    const input = { rules: [], budgetTotal: 5, budgetPeriod: 'none', currency: 'EUR' } as never
    const source = { kind: 'new' as const, key: '' }
    expect(draftTest(test, { source, form, input })).toEqual({
      ...{ agentId: 'agent', amount: 297, vendor: 'sas.se', category: 'travel', path: 'card' },
      ...{ rules: [], budgetTotal: 5, budgetPeriod: 'none', currency: 'EUR' },
    })
    expect(draftTest(test, { source, form, input: null })).toBeNull()
  })
})

describe('the spend that the tester begins with', () => {
  const allow = (...vendors: string[]) => ({
    type: 'vendors',
    texts: {},
    lists: { allow: vendors },
  })
  const formWith = (...rules: object[]) => ({ rules }) as never

  it('is at the vendor where the agent spent last', () => {
    const last = { vendor: 'sas.se', category: 'travel' }
    expect(firstTest(formWith(allow('a.example')), last)).toMatchObject(last)
  })

  it('is else at a vendor that the rules allow, else at an example', () => {
    expect(firstTest(formWith(allow('*.a.example'))).vendor).toBe('www.a.example')
    expect(firstTest(formWith()).vendor).toBe('api.openai.com')
  })

  it('fits the categories of a template, whatever the agent paid for last', () => {
    const travel = { type: 'categories', texts: {}, lists: { allow: ['travel'] } }
    const fitting = { vendor: 'lufthansa.com', category: 'travel' }
    expect(firstTest(formWith(travel))).toMatchObject(fitting)
    const last = { vendor: 'api.openai.com', category: 'llm' }
    expect(firstTest(formWith(travel), last)).toMatchObject(fitting)
    const flight = { vendor: 'sas.se', category: 'travel' }
    expect(firstTest(formWith(travel), flight)).toMatchObject(flight)
  })
})

describe('the lines of two texts', () => {
  it('marks what was removed and added', () => {
    const lines = compareLines('a\nb\nc\nd', 'a\nc\nx\nd')
    expect(lines.map(({ change, text }) => `${change[0]}${text}`)).toEqual([
      ...['sa', 'ob', 'sc', 'nx', 'sd'],
    ])
  })
})

describe('the two versions to compare', () => {
  const versions = [4, 3, 2, 1].map((version) => ({ version })) as unknown as MandateVersion[]
  it.each([
    [undefined, undefined, 3, 4],
    ['1', undefined, 1, 4],
    ['4', '2', 2, 4],
    ['9', '2', 2, 4],
  ])('a=%s b=%s', (a, b, left, right) => {
    const pair = chosenPair(versions, a, b)
    expect([pair?.a.version, pair?.b.version]).toEqual([left, right])
  })
})

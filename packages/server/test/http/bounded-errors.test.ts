import fc, { type Arbitrary } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { FIELD_ERRORS_MAX } from '../../src/base/errors.ts'
import { type Answer, createTestApp } from '../support/app.ts'
import { anAgent } from '../support/builders.ts'
import {
  describeBoundedBodies,
  expectBounded,
  JSON_TYPE,
  manyFields,
  manyOf,
} from './bounded-bodies.ts'

/*
 * No request is answered with more than a few kilobytes of errors, whatever it holds, and no text of a
 * client is repeated at length. The requests are made from the OpenAPI document.
 */

const BODY_BYTES_MAX = 262_144

const app = await createTestApp()
const acme = await app.organization()
afterAll(() => app.stop())

// With every value: bounded-errors.deep.test.ts.
await describeBoundedBodies(app, acme, 'one')

describe('rules', () => {
  const bodyWith = async (rules: unknown): Promise<object> => ({
    agentId: (await anAgent(acme)).id,
    budgetTotal: 10,
    rules,
  })

  /** Deeper than the replaced places above, within the sizes that are allowed. */
  const rule: Arbitrary<unknown> = fc.oneof(
    fc.constant({ type: 'vendors', allow: Array(200).fill(7) }),
    fc.constant({ type: 'vendors', allow: Array(200).fill('not a host!') }),
    fc.constant({ type: 'paths', allow: Array(100).fill('nowhere') }),
    fc.constant({ type: 'expression', when: `${'界'.repeat(300)} +` }),
    fc.constant({ type: 'limit', match: { vendors: Array(100).fill(null) } }),
    fc.constant(manyFields()),
    fc.constant({ type: 'x'.repeat(2_000) }),
    fc.jsonValue({ maxDepth: 3 }),
  )

  test('that are wrong in every way are answered in bounds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 70 }), async (rules) => {
        const payload = JSON.stringify(await bodyWith(rules))
        fc.pre(payload.length < BODY_BYTES_MAX)
        const answer = await acme.send('POST', '/mandates', { payload, headers: JSON_TYPE })
        expectBounded(answer, payload.slice(0, 200))
      }),
      { numRuns: 30 },
    )
  })

  test('that are too many are refused for their number, and their entries not looked at', async () => {
    const answer = await acme.post('/mandates', await bodyWith(manyOf({ type: 'none' })))
    expect(answer.body.errors).toEqual([
      { path: '/rules', code: 'maxItems', message: 'must not have more than 64 items' },
    ])
  })

  test('that are too many do not hide what else is wrong', async () => {
    const { body } = await acme.post('/mandates', { rules: manyOf(1), budgetTotal: 0 })
    expect(body.errors.map(({ path }) => path)).toEqual(['/agentId', '/budgetTotal', '/rules'])
  })

  test('with the same mistake list what is allowed once', async () => {
    const { body } = await acme.post('/mandates', await bodyWith([{ type: 'a' }, { type: 'b' }]))
    expect(body.errors).toEqual([
      { path: '/rules/0/type', code: 'unknown_type', message: expect.stringMatching(/amount, /) },
      {
        path: '/rules/1/type',
        code: 'unknown_type',
        message: 'must be one of the values listed for /rules/0/type',
      },
    ])
  })

  test('with more mistakes than are named: the answer says so', async () => {
    const { body } = await acme.post('/mandates', await bodyWith(Array(30).fill({ type: 'a' })))
    expect(body.errors).toHaveLength(FIELD_ERRORS_MAX)
    expect(body.detail).toMatch(/\(and at least 20 more; errors names the first\)\.$/)
  })
})

describe('text of the client is repeated at most in part', () => {
  const long = 'x'.repeat(8_000)

  test.each<[string, () => Promise<Answer>]>([
    ['in an address', () => acme.get(`/${long}`)],
    ['in an id', () => acme.get(`/agents/${long.slice(0, 190)}`)],
    ['in a query', () => acme.get(`/agents?${long}=1`)],
    ['in many parameters', () => acme.get(`/agents?${'a=%01&b='.repeat(500)}&limit=${long}`)],
    [
      'in a header',
      () => acme.get('/events', { accept: 'text/event-stream', 'last-event-id': long }),
    ],
    [
      'in a key that is given twice',
      () =>
        acme.send('POST', '/agents', { payload: `{"${long}":1,"${long}":1}`, headers: JSON_TYPE }),
    ],
    [
      'in fields of a request that has none',
      () =>
        acme.send('DELETE', '/agents/x', {
          payload: JSON.stringify(manyFields()),
          headers: JSON_TYPE,
        }),
    ],
    ['in a method of a webhook test', () => acme.post('/webhooks/test', { event: long })],
  ])('%s', async (_, call) => {
    const answer = await call()
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expectBounded(answer, '')
    expect(Buffer.byteLength(answer.text)).toBeLessThan(7_000)
  })
})

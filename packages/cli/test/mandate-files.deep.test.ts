import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../server/test/support/app.ts'
import { anAgent, bodyOf } from '../../server/test/support/builders.ts'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { callPurser } from './support/in-process.ts'

let app: TestApp
let url: string
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>

beforeAll(async () => {
  app = await createTestApp()
  url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  folder = await createTemporaryFolder()
})
afterAll(async () => {
  await app.stop()
  await folder.remove()
})

const amount = fc.integer({ min: 1, max: 1_000 }).map((cents) => cents / 100)
const host = fc.constantFrom('API.OpenAI.com', 'https://shop.example.com/x', '*.Example.org')
const rule = fc.oneof(
  fc.record({ type: fc.constant('amount'), max: amount }),
  fc.record({
    type: fc.constant('vendors'),
    allow: fc.array(host, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('categories'), block: fc.constant(['LLM', 'ads']) }),
  fc.record({
    type: fc.constant('limit'),
    maxAmount: amount,
    window: fc.constantFrom('1h', 'day', 'period'),
    match: fc.record({ vendor: host }),
  }),
  fc.record({ type: fc.constant('approval'), above: amount }),
)

/** Terms that can change while a mandate is active. Each can be absent. */
const terms = fc.record(
  {
    budgetTotal: amount.map((units) => units + 100),
    rules: fc.array(rule, { maxLength: 4 }),
    validUntil: fc.constantFrom(null, '2098-01-01T00:00:00+02:00', '2099-06-01T12:00:00.5Z'),
    discloseLimits: fc.boolean(),
  },
  { requiredKeys: [] },
)

const FIXED = ['currency', 'timezone', 'validFrom', 'budgetPeriod', 'parentMandateId']

test('after apply, diff finds nothing, and terms that no file names have not changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(terms, { minLength: 1, maxLength: 4 }), async (states) => {
      const acme = await app.organization()
      const { id: agentId } = await anAgent(acme, { name: 'Buyer', externalId: 'buyer' })
      const env = { PURSER_BASE_URL: url, PURSER_API_KEY: acme.apiKey }
      const file = join(folder.path, 'buyer.json')
      const run = async (...args: readonly string[]) => {
        const purser = await callPurser(['mandates', ...args], env)
        return { code: await purser.exited(), told: purser.told.join('\n') }
      }
      const read = async (): Promise<readonly object[]> =>
        bodyOf(await acme.get(`/mandates?agentId=${agentId}`)).data
      let before: Readonly<Record<string, unknown>> | undefined
      for (const state of states) {
        const named = before ? state : { budgetTotal: 100, ...state }
        await writeFile(file, JSON.stringify({ agent: 'buyer', name: 'Budget', ...named }))
        expect(await run('apply', file, '--yes')).toEqual({ code: 0, told: '' })
        expect(await run('diff', file)).toEqual({ code: 0, told: '' })
        const [mandate, ...others] = (await read()) as readonly Readonly<Record<string, unknown>>[]
        expect(others).toEqual([])
        expect(mandate).toMatchObject({ status: 'active', name: 'Budget' })
        const kept = ['budgetTotal', 'rules', 'validUntil', 'discloseLimits', ...FIXED].filter(
          (field) => before && !(field in named),
        )
        for (const field of kept) expect(mandate?.[field]).toEqual(before?.[field])
        before = mandate
      }
    }),
    { numRuns: 25 },
  )
})

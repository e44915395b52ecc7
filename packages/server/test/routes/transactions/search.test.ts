import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { listTransactions, type TransactionFilter } from '../../../src/storage/list-transactions.ts'
import { nextAfter } from '../../../src/storage/page.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { evaluate } from '../../support/spends.ts'
import { EVERY_TRANSACTION } from '../../support/transaction-filter.ts'

const VENDORS = ['rare.example.com', ...Array.from({ length: 6 }, () => 'api.openai.com')]

let app: TestApp
let acme: Owner
let agentId: string
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  ;({ agentId } = await anActiveMandate(acme))
  const other = await anActiveMandate(acme)
  for (const vendor of VENDORS) await evaluate(acme, agentId, { amount: 1, vendor })
  await evaluate(acme, other.agentId, { amount: 1, vendor: 'rare.example.com' })
})
afterAll(() => app.stop())

/** The pages of a search that may look at three transactions each. */
async function pagesOf(filter: Partial<TransactionFilter>) {
  const pages = []
  let after: string | undefined
  do {
    const page = await listTransactions(
      app.database.db,
      acme.organizationId,
      { ...EVERY_TRANSACTION, ...filter },
      Date.now(),
      { limit: 2, offset: 0, after },
      { searchedMax: 3 },
    )
    pages.push(page)
    after = nextAfter(page)
  } while (after !== undefined && pages.length < 10)
  return pages
}

describe('a search for a text', () => {
  test('looks at a bounded number of transactions for a page, and goes on with the next', async () => {
    const pages = await pagesOf({ q: 'rare' })
    expect(pages.map(({ rows }) => rows.length)).toEqual([1, 0, 1])
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false])
    expect(pages[0]).toMatchObject({ total: 1, totalIsExact: false })
  })

  test('continues after the last row of a full page, and skips none', async () => {
    const pages = await pagesOf({ q: 'openai' })
    expect(pages.flatMap(({ rows }) => rows)).toHaveLength(6)
    const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(new Set(ids).size).toBe(6)
  })

  test('looks only at the transactions of an agent that is named', async () => {
    const pages = await pagesOf({ q: 'rare', agents: [agentId] })
    expect(pages.map(({ rows }) => rows.length)).toEqual([0, 0, 1])
  })

  test('has an exact total if it could look at everything', async () => {
    const list = bodyOf(await acme.get('/transactions?q=rare'))
    expect(list).toMatchObject({ total: 2, totalIsExact: true, hasMore: false, nextCursor: null })
  })
})

test('a filter that an index has is not bounded', async () => {
  const pages = await pagesOf({ agents: [agentId] })
  expect(pages.map(({ rows }) => rows.length)).toEqual([2, 2, 2, 1])
  expect(pages[0]).toMatchObject({ total: 7, totalIsExact: true })
})

test('transactions are found by their mandate long after it was revoked, until the next one begins', async () => {
  const mandate = await anActiveMandate(acme)
  const { transactionId } = await evaluate(acme, mandate.agentId)
  // Money that moves under a revoked mandate is still booked on it.
  await app.rows(
    `update mandates set status = 'revoked', activated_at = activated_at - interval '9 days',
       revoked_at = now() - interval '5 days' where id = $1`,
    [toUuid('mnd', mandate.id)],
  )
  const { data } = bodyOf(await acme.get(`/transactions?mandateId=${mandate.id}`))
  expect(data).toMatchObject([{ transactionId }])
})

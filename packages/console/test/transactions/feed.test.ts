import type { ListedTransaction, TransactionList } from '@purser/sdk'
import { expect, test } from 'vitest'
import type { LiveEvent } from '../../src/data/stream/events.ts'
import { createFeed } from '../../src/screens/transactions/feed/feed.ts'

/** Ids begin with the time, so a larger number is a newer transaction. */
function idOf(at: number): string {
  return `txn_${String(at).padStart(6, '0')}`
}

function row(at: number, rest: object = {}): ListedTransaction {
  return {
    ...{ transactionId: idOf(at), decision: 'approved', status: 'settled', code: 'approved' },
    ...{ vendor: 'exa.ai', amount: 1, flags: [], reference: null, agentName: 'Research', ...rest },
  } as unknown as ListedTransaction
}

function decided(at: number, rest: object = {}): LiveEvent {
  const { agentName, ...data } = row(at, rest)
  const kind = `transaction.${data.decision}`
  return { kind, subject: idOf(at), data: { ...data }, receivedAt: 0, at: '2026-11-17T10:00:00Z' }
}

function page(rows: readonly ListedTransaction[], hasMore = false): TransactionList {
  const nextCursor = hasMore ? 'next' : null
  const total = { total: rows.length, totalIsExact: true, limit: 50, offset: 0 }
  return { data: rows, ...total, hasMore, nextCursor }
}

function setUp(pages: (TransactionList | Error)[], one?: ListedTransaction) {
  const frames: (() => void)[] = []
  const mayInsert = { now: true }
  const feed = createFeed({
    readPage: async () => {
      const next = pages.shift() ?? page([])
      if (next instanceof Error) throw next
      return next
    },
    readOne: async () => one ?? row(0),
    asError: () => null,
    mayInsert: () => mayInsert.now,
    schedule: (run) => frames.push(run),
  })
  const ids = () => feed.state().rows.map(({ transactionId }) => Number(transactionId.slice(4)))
  function drawAll(): number {
    let count = 0
    for (let run = frames.shift(); run; run = frames.shift()) {
      run()
      count += 1
    }
    return count
  }
  return { feed, ids, mayInsert, drawAll }
}

test('a gap while the first page loads is closed after it', async () => {
  const { feed, ids } = setUp([page([row(2)]), page([row(3), row(2)])])
  const loading = feed.load({})
  await feed.catchUp()
  await loading
  expect(ids()).toEqual([3, 2])
})

test('rows of the filters before do not stand for an answer that failed', async () => {
  const { feed, ids } = setUp([
    page([row(3), row(2)], true),
    new Error('No answer'),
    page([row(9)]),
  ])
  await feed.load({})
  await feed.load({ status: 'held' })
  expect(ids()).toEqual([])
  expect(feed.state()).toMatchObject({ total: 0, hasMore: false })
  await feed.load()
  expect(ids()).toEqual([9])
})

test('events that come before the first page are merged with it by id', async () => {
  const { feed, ids, drawAll } = setUp([page([row(3), row(2)])])
  const loading = feed.load({})
  feed.receive(decided(3))
  feed.receive(decided(4))
  await loading
  drawAll()
  expect(ids()).toEqual([4, 3, 2])
  expect(feed.state().rows[1]?.agentName).toBe('Research')
})

test('rows wait while they would move others, until a person shows them', async () => {
  const { feed, ids, mayInsert, drawAll } = setUp([page([row(2)])])
  await feed.load({})
  mayInsert.now = false
  feed.receive(decided(3))
  feed.receive(decided(4, { decision: 'rejected', status: 'rejected' }))
  feed.receive(decided(4, { decision: 'rejected', status: 'rejected' }))
  drawAll()
  expect([ids(), feed.state().waiting, feed.state().arrivedRejected]).toEqual([[2], 2, 1])
  feed.show()
  expect([ids(), feed.state().waiting, feed.state().total]).toEqual([[4, 3, 2], 0, 3])
})

test('rows that wait are shown once nothing is in the way', async () => {
  const { feed, ids, mayInsert, drawAll } = setUp([page([row(2)])])
  await feed.load({})
  mayInsert.now = false
  feed.receive(decided(3))
  drawAll()
  feed.settle()
  expect(ids()).toEqual([2])
  mayInsert.now = true
  feed.settle()
  expect(ids()).toEqual([3, 2])
})

test('only rows that the filters show are counted', async () => {
  const { feed, ids, drawAll } = setUp([page([])])
  await feed.load({ vendor: 'sas.se,klm.com', minAmount: 10, flagged: false })
  feed.receive(decided(1, { vendor: 'klm.com', amount: 10 }))
  feed.receive(decided(2, { vendor: 'exa.ai', amount: 10 }))
  feed.receive(decided(3, { vendor: 'sas.se', amount: 9 }))
  feed.receive(decided(4, { vendor: 'sas.se', amount: 11, flags: ['raised'] }))
  drawAll()
  expect(ids()).toEqual([1])
})

test('an outcome changes its row in place, and a hint asks for the row', async () => {
  const { feed, drawAll } = setUp(
    [page([row(2, { status: 'held', heldAmount: 5 }), row(1, { status: 'held' })])],
    row(1, { status: 'voided' }),
  )
  await feed.load({})
  const data = { transactionId: idOf(2), status: 'settled', settledAmount: 5 }
  feed.receive({ kind: 'transaction.settled', subject: idOf(2), data, receivedAt: 0 })
  feed.receive({ kind: 'transaction.voided', subject: idOf(1), data: {}, receivedAt: 0 })
  drawAll()
  await Promise.resolve()
  expect(feed.state().rows.map(({ status }) => status)).toEqual(['settled', 'voided'])
  expect(feed.state().rows[0]).toMatchObject({ heldAmount: 0, settledAmount: 5 })
})

test('a burst is sorted in by frames of bounded size, and the rows that wait are capped', async () => {
  const { feed, ids, mayInsert, drawAll } = setUp([page([row(1)]), page([row(9_000)])])
  await feed.load({})
  mayInsert.now = false
  for (let at = 2; at <= 5_001; at += 1) feed.receive(decided(at))
  expect(drawAll()).toBe(5)
  expect(feed.state().waiting).toBe(5_000)
  feed.show()
  await Promise.resolve()
  await Promise.resolve()
  expect([ids(), feed.state().waiting]).toEqual([[9_000], 0])
})

test('the next page goes below, and a row that moved to it is not shown twice', async () => {
  const { feed, ids } = setUp([page([row(4), row(3)], true), page([row(3), row(2)])])
  await feed.load({})
  await feed.more()
  await feed.more()
  expect([ids(), feed.state().hasMore]).toEqual([[4, 3, 2], false])
})

test('after a gap the newest page is merged, or replaces a list that is too old', async () => {
  const near = setUp([page([row(2)]), page([row(3), row(2)])])
  await near.feed.load({})
  await near.feed.catchUp()
  expect(near.ids()).toEqual([3, 2])
  const far = setUp([page([row(2)]), page([row(90), row(89)], true), page([row(91)])])
  await far.feed.load({})
  await far.feed.catchUp()
  await Promise.resolve()
  await Promise.resolve()
  expect(far.ids()).toEqual([91])
})

test('an answer to earlier filters is ignored', async () => {
  const answers: ((page: TransactionList) => void)[] = []
  const feed = createFeed({
    readPage: () => new Promise((resolve) => answers.push(resolve)),
    readOne: async () => row(0),
    asError: () => null,
    mayInsert: () => true,
    schedule: () => {},
  })
  const loads = [feed.load({ vendor: 'a.com' }), feed.load({ vendor: 'b.com' })]
  answers[1]?.(page([row(2)]))
  answers[0]?.(page([row(1)]))
  await Promise.all(loads)
  expect(feed.state().rows.map(({ transactionId }) => transactionId)).toEqual([idOf(2)])
})

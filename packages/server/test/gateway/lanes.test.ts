import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLanes } from '../../src/gateway/queue/lanes.ts'
import { someNodes } from '../support/organization-nodes.ts'
import { type Job, someLanes } from './some-lanes.ts'

const aMoment = () => vi.advanceTimersByTimeAsync(0)
const longer = () => vi.advanceTimersByTimeAsync(300)

describe('lanes', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('hold one organization per batch', async () => {
    const { submit, open } = someLanes()
    submit('a', 2)
    submit('b')
    submit('a')
    await aMoment()
    expect(open.map(({ jobs }) => jobs.map((job) => job.organization).join(''))).toEqual([
      'aaa',
      'b',
    ])
  })

  test('begin the next batch before the answers to the last one are written', async () => {
    const { batcher, submit, open } = someLanes()
    const [first] = submit('a')
    await aMoment()
    submit('a')
    let openThen = 0
    const answered = first?.then(() => {
      openThen = open.length
    })
    open[0]?.finish()
    // Whoever waits for the end waits for the answers as well.
    const drained = batcher.drain()
    await aMoment()
    await answered
    expect(openThen).toBe(1)
    open[0]?.finish()
    await aMoment()
    await drained
  })

  test('are taken in turn, whoever has sent most', async () => {
    const { submit, running, batchOf } = someLanes({
      lanes: { shared: 1, own: 1, perOrganization: 1 },
    })
    submit('a', 600)
    await aMoment()
    submit('b')
    submit('c')
    const order = [running()]
    for (const organization of ['a', 'b', 'c', 'a']) {
      batchOf(organization).finish()
      await aMoment()
      order.push(running())
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a'])
  })

  test('are left to other nodes when one becomes slow with all of its organizations', async () => {
    const { submit, running, batchOf } = someLanes({ nodes: someNodes('abcdefgh', 'xyz') })
    for (const organization of 'abcdefgh') submit(organization)
    await aMoment()
    expect(running()).toBe('a b c')
    // The first two go to the lanes for slow organizations, and the next two take their places.
    await longer()
    expect(running()).toBe('a b c d e')
    await longer()
    submit('x')
    submit('y')
    await aMoment()
    expect(running()).toBe('a b c d e x')
    batchOf('x').finish()
    await aMoment()
    expect(running()).toBe('a b c d e y')
    batchOf('c').finish()
    await aMoment()
    expect(running()).toBe('a b d e y f')
  })

  test('that are few leave one to each organization of a node whose others are slow', async () => {
    const { submit, running } = someLanes({
      lanes: { shared: 2, own: 2, perOrganization: 1 },
      nodes: someNodes('pqrs', 'x'),
    })
    for (const organization of 'pqr') {
      submit(organization)
      await aMoment()
      await longer()
    }
    submit('s')
    await aMoment()
    expect(running()).toBe('p q r s')
  })

  test('go to an organization once more only when enough of it can run, and nobody else waits', async () => {
    const { submit, running, batchOf, open } = someLanes({
      lanes: { shared: 2, own: 1, perOrganization: 2 },
    })
    submit('a', 1, 'one')
    await aMoment()
    // These wait for the batch of their agent, and those are too few.
    submit('a', 200, 'one')
    submit('a', 199, 'two')
    await aMoment()
    expect(running()).toBe('a')
    submit('b', 1)
    submit('a', 1, 'two')
    await aMoment()
    expect(running()).toBe('a b')
    batchOf('b').finish()
    await aMoment()
    expect(open.map(({ jobs }) => [jobs.length, jobs[0]?.agent])).toEqual([
      [1, 'one'],
      [200, 'two'],
    ])
  })

  test('leave a slow organization one lane, and its shared lane to the others', async () => {
    const { submit, running, batchOf } = someLanes({
      lanes: { shared: 1, own: 1, perOrganization: 2 },
    })
    submit('a')
    await aMoment()
    submit('b')
    await aMoment()
    expect(running()).toBe('a')
    await longer()
    expect(running()).toBe('a b')
    submit('a', 300)
    await aMoment()
    expect(running()).toBe('a b')
    batchOf('b').finish()
    await aMoment()
    expect(running()).toBe('a')
    // It goes well again, and is among the others again.
    batchOf('a').finish()
    await aMoment()
    batchOf('a').finish()
    await aMoment()
    submit('b')
    await aMoment()
    expect(running()).toBe('a')
    batchOf('a').finish()
    await aMoment()
    expect(running()).toBe('b')
  })

  test('of slow organizations are few, and half of the shared ones are never theirs', async () => {
    const { submit, running } = someLanes()
    for (const organization of ['a', 'b', 'c', 'd']) submit(organization)
    await longer()
    for (const organization of ['e', 'f', 'g']) submit(organization)
    await aMoment()
    expect(running()).toBe('a b c d e f')
  })

  test('are all used when everybody is slow, as when the database is', async () => {
    const { submit, running, open } = someLanes()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const organization of names) submit(organization)
    await longer()
    for (const one of [...open]) one.finish()
    await aMoment()
    for (const organization of names) submit(organization)
    await aMoment()
    expect(running().split(' ')).toHaveLength(4)
    submit('g')
    await aMoment()
    expect(running()).toContain('g')
  })

  test('are all its own for an organization that is slow and alone', async () => {
    const { submit, running } = someLanes()
    submit('a')
    await longer()
    submit('a', 200, 'two')
    await aMoment()
    expect(running()).toBe('a a')
  })

  test('refuse what is more than may wait of one organization, and take that of others', async () => {
    const { batcher, submit, open } = someLanes({ waitingMax: 2 })
    const first = submit('a')
    await aMoment()
    const more = submit('a', 2)
    await expect(submit('a')[0]).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    const others = submit('b')
    await aMoment()
    while (open.length > 0) {
      open[0]?.finish()
      await aMoment()
    }
    expect(await Promise.all([...first, ...more, ...others])).toEqual([1, 2, 3, 5])
    await batcher.drain()
    expect(batcher.waiting).toBe(0)
  })

  test('fail a batch as a whole when it may not be repeated', async () => {
    const { submit, batchOf } = someLanes()
    const results = Promise.allSettled(submit('a', 2))
    await aMoment()
    batchOf('a').fail(new Error('locked'))
    await aMoment()
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('whatever the order in which things happen', () => {
  const histories = fc.record({
    jobs: fc.array(
      fc.record({
        organization: fc.constantFrom('a', 'b', 'c'),
        agent: fc.constantFrom('one', 'two', 'three', 'four'),
        // Many at once, so that a second lane is worth it.
        count: fc.constantFrom(1, 2, 60),
      }),
      { minLength: 1, maxLength: 20 },
    ),
    shared: fc.integer({ min: 1, max: 3 }),
    s: fc.scheduler(),
  })

  /** Runs batches in any order, and sees that none is against the rules. */
  function createWitness(s: fc.Scheduler, lanesMax: number) {
    const done = new Map<string, number[]>()
    const busy = new Set<string>()
    let running = 0
    const run = async (batch: readonly Job[]): Promise<number[]> => {
      const agents = new Set(batch.map(nameOf))
      expect(new Set(batch.map(({ organization }) => organization)).size).toBe(1)
      expect([...agents].filter((agent) => busy.has(agent))).toEqual([])
      running += 1
      expect(running).toBeLessThanOrEqual(lanesMax)
      for (const agent of agents) busy.add(agent)
      await s.schedule(Promise.resolve())
      for (const agent of agents) busy.delete(agent)
      running -= 1
      for (const job of batch) done.set(nameOf(job), [...(done.get(nameOf(job)) ?? []), job.number])
      return batch.map(({ number }) => number)
    }
    return { run, done }
  }

  test('the jobs of an agent run in order and never two batches of them at once', () =>
    fc.assert(
      fc.asyncProperty(histories, async ({ jobs, shared, s }) => {
        const { run, done } = createWitness(s, shared + 1)
        const batcher = createLanes<Job, number>({
          run,
          isolates: () => false,
          organizationOf: (job) => job.organization,
          agentOf: (job) => job.agent,
          lanes: { shared, own: 1, perOrganization: 2 },
          batchSizeMax: 32,
          waitingMax: 10_000,
        })
        const answers: Promise<number>[] = []
        const arrivals = jobs.map(({ organization, agent, count }) =>
          s.schedule(Promise.resolve()).then(() => {
            for (let left = count; left > 0; left -= 1) {
              answers.push(batcher.submit({ organization, agent, number: answers.length }))
            }
          }),
        )
        await s.waitFor(Promise.all(arrivals))
        await s.waitFor(batcher.drain())
        expect(await Promise.all(answers)).toEqual(answers.map((_, index) => index))
        for (const numbers of done.values()) {
          expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
        }
      }),
      { numRuns: 200 },
    ))
})

const nameOf = ({ organization, agent }: Job): string => `${organization} ${agent}`

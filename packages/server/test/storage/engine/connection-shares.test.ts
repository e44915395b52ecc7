import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OrganizationNodes } from '../../../src/storage/distributed/organization-nodes.ts'
import type { Stop } from '../../../src/storage/engine/connection-places.ts'
import { createConnectionShares } from '../../../src/storage/engine/connection-shares.ts'
import { someNodes } from '../../support/organization-nodes.ts'

/** The timer, and what it looks at in the next turns of the event loop, each of which counts a millisecond. */
const SLOW_AFTER_MS = 250 + 2

/** What is under way, named by its organization, ends when the test says so. */
function someShares(shared: number, own = 0, reserved = 0, nodes?: OrganizationNodes) {
  const shares = createConnectionShares({ shared, own, reserved }, 5_000, () => nodes)
  const open: { readonly organization: string; end(): void }[] = []
  const askAs = (name: string, organizationId: string, stop?: Stop): Promise<void> =>
    shares.withShare(
      { organizationId, stop },
      (lent) =>
        new Promise<void>((resolve) => {
          lent()
          open.push({ organization: name, end: resolve })
        }),
    )
  const ask = (organization: string, count = 1): Promise<void>[] =>
    Array.from({ length: count }, () => askAs(organization, organization))
  /** Shown as a capital letter. */
  const stop = (organization: string, kind: Stop = 'other'): void => {
    askAs(organization.toUpperCase(), organization, kind).catch(() => {})
  }
  const running = () => open.map(({ organization }) => organization).join('')
  const endFirst = async (organization: string): Promise<void> => {
    const index = open.findIndex((one) => one.organization === organization)
    open.splice(index, 1)[0]?.end()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { ask, stop, running, endFirst, shares }
}

describe('the connections for requests', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('are left to others by half, whatever each of them has to wait for', () => {
    const { ask, running } = someShares(8)
    for (const organization of ['a', 'b', 'c', 'd', 'e']) {
      for (const one of ask(organization, 10)) one.catch(() => {})
    }
    expect(running()).toBe('aaaabbcd')
  })

  test('are left to other nodes when one becomes slow with all of its organizations', async () => {
    const { ask, running, endFirst } = someShares(4, 2, 0, someNodes('abcdefgh', 'xyz'))
    const waiting = [...'abcdefgh'].flatMap((organization) => ask(organization))
    for (const one of waiting) one.catch(() => {})
    expect(running()).toBe('abc')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    expect(running()).toBe('abcde')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    void ask('x')
    void ask('y')
    await vi.advanceTimersByTimeAsync(0)
    expect(running()).toBe('abcdex')
    await endFirst('x')
    expect(running()).toBe('abcdey')
    await endFirst('c')
    expect(running()).toBe('abdeyf')
  })

  test('are given in turn to those who wait', async () => {
    const { ask, running, endFirst } = someShares(2)
    void ask('a', 3)
    void ask('b', 3)
    const order = [running()]
    for (const organization of ['a', 'b', 'a', 'b']) {
      await endFirst(organization)
      order.push(running())
    }
    expect(order).toEqual(['ab', 'ba', 'ab', 'ba', 'ab'])
  })

  test('are waited for only for so long, and then given to those who still wait', async () => {
    const { ask, running, endFirst } = someShares(1)
    void ask('a')
    const [tooLate] = ask('b')
    const told = tooLate?.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await told).toMatchObject({ code: 'storage_unavailable', retryAfterSeconds: 1 })
    void ask('c')
    await endFirst('a')
    expect(running()).toBe('c')
  })

  test('are given back by what fails', async () => {
    const { shares, ask, running } = someShares(1)
    const failed = shares.withShare({ organizationId: 'a' }, () =>
      Promise.reject(new Error('broken')),
    )
    await expect(failed).rejects.toThrow('broken')
    void ask('b')
    expect(running()).toBe('b')
  })

  /** Four organizations whose requests never end by themselves, and are late. */
  async function fourStuck() {
    const site = someShares(8, 8)
    for (const organization of ['a', 'b', 'c', 'd']) {
      for (const one of site.ask(organization, 4)) one.catch(() => {})
    }
    expect(site.running()).toBe('aaaabbcd')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    return site
  }

  test('are free again for others once those who keep them are late', async () => {
    const { ask, running } = await fourStuck()
    for (const organization of ['e', 'f', 'g', 'h']) void ask(organization)
    expect(running()).toBe('aaaabbcdefgh')
  })

  test('are one for each slow organization, in turn', async () => {
    const { ask, running, endFirst } = await fourStuck()
    void ask('e')
    await endFirst('a')
    await endFirst('b')
    // They still keep others.
    expect(running()).toBe('aaabcde')
    await endFirst('d')
    await endFirst('c')
    expect(running()).toBe('aaabedc')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    await endFirst('c')
    await endFirst('d')
    expect(running()).toBe('aaabecd')
  })

  test('are shared ones again for an organization whose request went well', async () => {
    const { ask, running, endFirst } = someShares(4, 2)
    void ask('a', 2)
    void ask('b')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    await endFirst('a')
    await endFirst('a')
    void ask('a', 2)
    expect(running()).toBe('ba')
    await endFirst('a')
    void ask('a')
    expect(running()).toBe('baa')
  })

  test('are left to several requests of the only organization that is slow', async () => {
    const { ask, running } = someShares(8, 8)
    void ask('a')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    void ask('b')
    for (const one of ask('a', 10)) one.catch(() => {})
    expect(running()).toBe('abaaa')
  })

  test('are half of the shared ones for slow organizations when their own are all in use', async () => {
    const { ask, running, endFirst } = someShares(4, 1)
    const slow = ['a', 'b', 'c', 'd']
    for (const organization of slow) void ask(organization)
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    for (const organization of slow) await endFirst(organization)
    for (const organization of slow) void ask(organization)
    expect(running()).toBe('abc')
    void ask('e')
    expect(running()).toBe('abce')
    await endFirst('b')
    expect(running()).toBe('ace')
    await endFirst('e')
    expect(running()).toBe('acd')
  })

  test('are had by a stop at once, whatever its organization waits for', async () => {
    const { ask, stop, running } = await fourStuck()
    stop('a')
    stop('b', 'freeze')
    expect(running()).toBe('aaaabbcdAB')
    void ask('e')
    expect(running()).toBe('aaaabbcdABe')
  })

  test('are reserved for stops when all others are in use, the last one for a freeze', async () => {
    const { ask, stop, running, endFirst } = someShares(2, 2, 2)
    for (const organization of ['a', 'b']) void ask(organization)
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    for (const organization of ['c', 'd']) void ask(organization)
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    for (const one of [...ask('a'), ...ask('e')]) one.catch(() => {})
    stop('a')
    stop('b')
    expect(running()).toBe('abcdA')
    // Neither a second stop that waits nor a late one is in its way.
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    stop('a', 'freeze')
    expect(running()).toBe('abcdAA')
    await endFirst('A')
    expect(running()).toBe('abcdA')
    await endFirst('A')
    expect(running()).toBe('abcdB')
  })

  test('are few for the stops of one organization beyond its share', async () => {
    const { ask, stop, running } = someShares(8, 8)
    void ask('b')
    void ask('a')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    for (let count = 0; count < 5; count += 1) stop('a')
    expect(running()).toBe('baAA')
    stop('a', 'freeze')
    expect(running()).toBe('baAAA')
  })

  test('begin to be late when they are lent, and not before', async () => {
    const { shares, ask, running } = someShares(2, 2)
    let open: () => void = () => {}
    const waits = new Promise<void>((resolve) => {
      open = resolve
    })
    void shares.withShare({ organizationId: 'a' }, () => waits)
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS * 2)
    for (const one of ask('b', 3)) one.catch(() => {})
    // A late one would have left its shared connection to the others.
    expect(running()).toBe('b')
    open()
    await vi.advanceTimersByTimeAsync(0)
    expect(running()).toBe('b')
  })

  test('are not late where the answer came while the process was held up', async () => {
    const { shares, ask, running } = someShares(8, 8)
    void ask('b')
    await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS)
    await shares.withShare({ organizationId: 'a' }, async (lent) => {
      lent()
      // The timer goes off, and the answer is there in the same turn of the event loop.
      vi.advanceTimersByTime(250)
    })
    void ask('a', 2)
    expect(running()).toBe('baa')
  })

  test('are never more than both kinds together, and nobody waits for ever', async () => {
    const step = fc.record({
      organization: fc.constantFrom(...'abcde'),
      count: fc.integer({ min: 1, max: 6 }),
      passMs: fc.constantFrom(0, 100, SLOW_AFTER_MS),
      ends: fc.constantFrom(...'abcdeABCDE'),
      kind: fc.constantFrom<Stop[]>('other', 'freeze'),
    })
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { ask, stop, running, endFirst } = someShares(8, 6, 2)
      const told: Promise<void>[] = []
      for (const { organization, count, passMs, ends, kind } of steps) {
        stop(organization, kind)
        // Whoever waits for seconds is told so.
        told.push(...ask(organization, count).map((one) => one.catch(() => {})))
        expect(running().length).toBeLessThanOrEqual(16)
        await vi.advanceTimersByTimeAsync(passMs)
        expect(running().length).toBeLessThanOrEqual(16)
        if (running().includes(ends)) await endFirst(ends)
      }
      while (running() !== '') await endFirst(running().slice(0, 1))
      await Promise.all(told)
    })
    await fc.assert(property, { numRuns: 100 })
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createConnectionShares } from '../../../src/storage/engine/connection-shares.ts'

/** What is under way, named by its organization, ends when the test says so. */
function someShares(connections: number) {
  const shares = createConnectionShares(connections, 5_000)
  const open: { readonly organization: string; end(): void }[] = []
  const ask = (organization: string, count = 1): Promise<void>[] =>
    Array.from({ length: count }, () =>
      shares.withShare(
        organization,
        () =>
          new Promise<void>((resolve) => {
            open.push({ organization, end: resolve })
          }),
      ),
    )
  const running = () => open.map(({ organization }) => organization).join('')
  const endFirst = async (organization: string): Promise<void> => {
    const index = open.findIndex((one) => one.organization === organization)
    open.splice(index, 1)[0]?.end()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { ask, running, endFirst, shares }
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
    const failed = shares.withShare('a', () => Promise.reject(new Error('broken')))
    await expect(failed).rejects.toThrow('broken')
    void ask('b')
    expect(running()).toBe('b')
  })
})

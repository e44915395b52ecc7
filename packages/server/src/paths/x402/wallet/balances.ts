import type { Chain, Chains } from '../chain/chains.ts'
import { type Asset, assetsOn } from '../offers/assets.ts'

/** A wallet's balance of one token. `atomic` is undefined if the chain did not answer. */
export interface Held {
  readonly asset: Asset
  readonly atomic: bigint | undefined
}

/** The balances that the wallet list shows. Payments read the chain themselves. */
export interface Balances {
  /** Returns a lookup by address. If a chain does not answer, its wallets are still listed. */
  of(holders: readonly string[]): Promise<(holder: string) => readonly Held[]>
}

/** The maximum age of a shown balance. */
const FRESH_MS = 3_000
/** The longest time that a list of wallets waits for chains. */
const WAIT_MS = 6_000
const HOLDERS_AT_ONCE = 1_000
const ENTRIES_MAX = 10_000

/**
 * Batches and caches balance queries. A list of wallets queries each node once for all its wallets,
 * and concurrent lists share a query. Otherwise a page of 200 wallets would make hundreds of calls,
 * and every reader of wallets could use up the quota at the node's provider.
 */
export function createBalances(chains: Chains): Balances {
  const networks = chains.networks.map((network) => {
    const chain = chains.chain(network)
    return { assets: assetsOn(network), book: chain && createBook(chain, assetsOn(network)) }
  })
  return {
    async of(holders) {
      await inTime(networks.map(({ book }) => book?.refresh(holders)))
      return (holder) =>
        networks.flatMap(({ assets, book }) => {
          const amounts = book?.find(holder)
          return assets.map((asset, index) => ({ asset, atomic: amounts?.[index] }))
        })
    },
  }
}

interface Entry {
  readonly amounts: readonly (bigint | undefined)[]
  readonly readAt: number
}

interface Book {
  refresh(holders: readonly string[]): Promise<void>
  find(holder: string): Entry['amounts'] | undefined
}

/**
 * Caches the balances on one chain. One query runs at a time; requests that arrive meanwhile wait
 * for the next one.
 */
function createBook(chain: Chain, assets: readonly Asset[]): Book {
  const entries = new Map<string, Entry>()
  const wanted = new Set<string>()
  let underWay = Promise.resolve()
  let next: Promise<void> | undefined

  async function ask(): Promise<void> {
    next = undefined
    const holders = [...wanted].slice(0, HOLDERS_AT_ONCE)
    wanted.clear()
    const places = holders.flatMap((holder) =>
      assets.map(({ address: token }) => ({ token, holder })),
    )
    // Cache failures too, so that not every list queries a dead node again.
    const amounts = await chain.balancesOf(places).catch(() => places.map(() => undefined))
    if (entries.size + holders.length > ENTRIES_MAX) entries.clear()
    holders.forEach((holder, index) => {
      const own = amounts.slice(index * assets.length, (index + 1) * assets.length)
      entries.set(holder, { amounts: own, readAt: performance.now() })
    })
  }

  function isFresh(holder: string): boolean {
    const entry = entries.get(holder)
    return entry !== undefined && performance.now() - entry.readAt < FRESH_MS
  }

  return {
    async refresh(holders) {
      const stale = holders.filter((holder) => !isFresh(holder))
      if (stale.length === 0) return
      for (const holder of stale) wanted.add(holder)
      if (next === undefined) {
        next = underWay.then(ask)
        underWay = next
      }
      await next
    },
    find: (holder) => entries.get(holder)?.amounts,
  }
}

/** Resolves when all queries have ended, or after the time limit. None of them rejects. */
async function inTime(questions: readonly (Promise<void> | undefined)[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS)
  })
  await Promise.race([Promise.all(questions), late])
  clearTimeout(timer)
}

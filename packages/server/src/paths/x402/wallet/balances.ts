import type { Chain, Chains } from '../chain/chains.ts'
import { type Asset, assetsOn } from '../offers/assets.ts'

/** What a wallet holds of one token; undefined when nobody can tell. */
export interface Held {
  readonly asset: Asset
  readonly atomic: bigint | undefined
}

/** What wallets hold, to be shown. Payments ask the chain themselves. */
export interface Balances {
  /** By address. A chain that does not answer hides no wallet. */
  of(holders: readonly string[]): Promise<(holder: string) => readonly Held[]>
}

/** As old as a balance may be that is shown. */
const FRESH_MS = 3_000
/** Whoever lists wallets waits no longer than this for chains. */
const WAIT_MS = 6_000
const HOLDERS_AT_ONCE = 1_000
const ENTRIES_MAX = 10_000

/**
 * A list of wallets asks a node once for all that it shows there, and lists at the same time ask once
 * together. Otherwise a page of 200 wallets would make hundreds of calls, and everybody who may read
 * wallets could use up what a node's provider allows.
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

/** What is known of one chain. One question is under way at a time, and what comes meanwhile waits for the next. */
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
    // That nobody can tell is remembered as well: a dead node is not asked again by every list.
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

/** Ends when all have ended, or when it has taken too long. None of them fails. */
async function inTime(questions: readonly (Promise<void> | undefined)[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS)
  })
  await Promise.race([Promise.all(questions), late])
  clearTimeout(timer)
}

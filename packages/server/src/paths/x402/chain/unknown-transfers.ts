import { countOf } from '../../../base/count-of.ts'
import { larger } from '../../../core/bigint.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { Finding } from '../../path.ts'
import { findAsset } from '../offers/assets.ts'
import type { X402Settings } from '../settings.ts'
import { readKnownNonces, readNewestHeight } from '../storage/known-nonces.ts'
import { listAddresses, type WalletAddress } from '../storage/wallets.ts'
import { formatUnits } from '../x402-libraries.ts'
import { type Chain, createChains, type Head } from './chains.ts'
import type { Outgoing, Transfer } from './outgoing.ts'

/** Bounds the queries: nodes accept this many topics. */
const WALLETS_MAX = 100
const BLOCKS_MIN = 5_000n
/** More than four days of blocks, two seconds apart. */
const BLOCKS_MAX = 200_000n
/** After a reorganization, a transfer can be in an earlier block than the height before signing. */
const BLOCKS_BEFORE = 300n
/** Tolerates that the clocks of the chain and of the database differ. */
const APART_MS = 86_400_000
const LISTED_MAX = 10

const NEXT =
  'If this store was put back from a backup, lower the budgets by these amounts. Otherwise, find out who else uses the wallet. See docs/guide-operations.md.'

/** What was found on one network. */
interface Seen {
  readonly unknown: readonly string[]
  readonly note: string
}

/**
 * Lists the transfers of our wallets that no payment here knows. A store that was put back from
 * the past has lost the payments of the time since then, but the chain has not.
 */
export async function findUnknownTransfers(
  db: Queryable,
  { networks }: X402Settings,
): Promise<Finding> {
  const found = await listAddresses(db, WALLETS_MAX + 1)
  const wallets = found.slice(0, WALLETS_MAX)
  if (wallets.length === 0) return ok('There is no wallet, so no transfer can be missing.')
  const chains = createChains(networks)
  const seen: Seen[] = []
  const failed: string[] = []
  for (const network of chains.networks) {
    const chain = chains.chain(network)
    if (chain === undefined) failed.push(`${network} has no node`)
    else {
      await readNetwork({ db, network, chain, wallets }).then(
        (found) => seen.push(found),
        (error: Error) => failed.push(error.message),
      )
    }
  }
  return toFinding(seen, failed, found.length > WALLETS_MAX)
}

interface Place {
  readonly db: Queryable
  readonly network: string
  readonly chain: Chain
  readonly wallets: readonly WalletAddress[]
}

async function readNetwork(place: Place): Promise<Seen> {
  const { network, chain, wallets } = place
  const head = await chain.head()
  const newest = await readNewest(place)
  const fromBlock = toFirstBlock(head, newest)
  const holders = [...new Set(wallets.map(({ address }) => address))]
  const outgoing = await chain.outgoing(holders, fromBlock, head.height)
  const since = (await chain.timeOf(fromBlock)) - APART_MS
  const unknown = listUnknown(outgoing, await readKnown(place, outgoing, since))
  const isCut = newest !== null && newest < fromBlock
  return {
    unknown: unknown.map((transfer) => describe(network, transfer)),
    note: `${network} from block ${fromBlock}${isCut ? ', which is after the newest payment' : ''}`,
  }
}

async function readNewest({ db, network, wallets }: Place): Promise<bigint | null> {
  let newest: bigint | null = null
  for (const organizationId of new Set(wallets.map((wallet) => wallet.organizationId))) {
    const height = await readNewestHeight(db, organizationId, network)
    if (height !== null && (newest === null || height > newest)) newest = height
  }
  return newest
}

/** Where the search begins: before the newest known payment, or among the recent blocks. */
export function toFirstBlock({ height }: Pick<Head, 'height'>, newest: bigint | null): bigint {
  const recent = height - BLOCKS_MIN
  const wanted = newest === null || newest > recent ? recent : newest - BLOCKS_BEFORE
  return larger(larger(wanted, height - BLOCKS_MAX), 0n)
}

/** Reads only the payments of wallets that something left. */
async function readKnown(
  { db, wallets }: Place,
  { transfers }: Outgoing,
  since: Instant,
): Promise<ReadonlySet<string>> {
  const senders = new Set(transfers.map(({ from }) => from))
  const known = new Set<string>()
  for (const wallet of wallets.filter(({ address }) => senders.has(address))) {
    for (const nonce of await readKnownNonces(db, wallet, since)) {
      known.add(`${wallet.address} ${nonce}`)
    }
  }
  return known
}

/** Each known authorization explains one transfer of its wallet in its transaction. */
export function listUnknown(
  { transfers, used }: Outgoing,
  known: ReadonlySet<string>,
): readonly Transfer[] {
  const explained = new Map<string, number>()
  for (const { from, nonce, transaction } of used) {
    if (!known.has(`${from} ${nonce}`)) continue
    const key = `${transaction} ${from}`
    explained.set(key, (explained.get(key) ?? 0) + 1)
  }
  return transfers.filter(({ from, transaction }) => {
    const key = `${transaction} ${from}`
    const left = explained.get(key) ?? 0
    explained.set(key, left - 1)
    return left <= 0
  })
}

function describe(network: string, { token, from, to, value, transaction }: Transfer): string {
  const { symbol = token, decimals = 0 } = findAsset(network, token) ?? {}
  return `${formatUnits(value, decimals)} ${symbol} from ${from} to ${to} in ${transaction} (${network})`
}

export function toFinding(
  seen: readonly Seen[],
  failed: readonly string[],
  leavesWalletsOut: boolean,
): Finding {
  const unknown = seen.flatMap((found) => found.unknown)
  const cut = leavesWalletsOut ? [`only the newest ${WALLETS_MAX} wallets`] : []
  const notes = [...cut, ...seen.map(({ note }) => note), ...failed].join('; ')
  if (unknown.length > 0) {
    const listed = unknown.slice(0, LISTED_MAX).join('; ')
    const more = unknown.length > LISTED_MAX ? `; and ${unknown.length - LISTED_MAX} more` : ''
    const belong = unknown.length === 1 ? 'belongs' : 'belong'
    const text = `${countOf(unknown.length, 'transfer')} of wallets ${belong} to no payment here: ${listed}${more}. Read: ${notes}.`
    return { status: 'warn', text, action: NEXT }
  }
  if (failed.length > 0) {
    const text = `Transfers of wallets could not be compared with payments: ${notes}.`
    return { status: 'warn', text, action: 'Check the nodes in PURSER_X402_NETWORKS.' }
  }
  if (leavesWalletsOut) {
    const text = `Every transfer of the wallets that were read belongs to a payment. Read: ${notes}.`
    return { status: 'warn', text, action: 'Compare the transfers of the other wallets by hand.' }
  }
  return ok(`Every transfer of a wallet belongs to a payment. Read: ${notes}.`)
}

function ok(text: string): Finding {
  return { status: 'ok', text, action: null }
}

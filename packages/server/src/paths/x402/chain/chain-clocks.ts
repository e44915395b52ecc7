import { Problem } from '../../../base/errors.ts'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { type Instant, toIso } from '../../../core/time/instant.ts'
import { X402_LOG_EVENTS } from '../log-events.ts'
import { X402_PROBLEMS } from '../problems.ts'
import type { Chain, Head } from './chains.ts'

/** Blocks come some seconds apart, so the newest one is always a little old. */
const APART_MS = 60_000
/** A vendor needs some time to have a payment settled. */
const LEFT_MIN_MS = 15_000

/** A chain that was asked for its newest block. */
interface Asked {
  readonly network: string
  readonly chain: Chain
  readonly head: Head
}

interface Reckoning {
  /** The database's time when the chain was asked. */
  readonly ours: Instant
  readonly validityMs: number
}

/**
 * Compares our clock with those of chains, because a token compares the times in an authorization
 * with its blocks.
 */
export interface ChainClocks {
  /**
   * The time to reckon a payment from, if the clocks are apart: the earlier one, so that the payment
   * holds by both. Undefined if they agree. Throws where too little time would be left by the later
   * one.
   */
  compare(asked: Asked, reckoning: Reckoning): Promise<Instant | undefined>
}

export function createChainClocks(log: Log): ChainClocks {
  const warned = new Set<string>()

  function warn(network: string, ours: Instant, theirs: Instant): void {
    if (warned.has(network)) return
    warned.add(network)
    logEvent(log, X402_LOG_EVENTS['x402.clocks_differ'], {
      network,
      ours: toIso(ours),
      chain: toIso(theirs),
    })
  }

  return {
    async compare(asked, { ours, validityMs }) {
      const { network } = asked
      const theirs = await readTime(asked, ours)
      if (Math.abs(ours - theirs) <= APART_MS) return undefined
      warn(network, ours, theirs)
      const earlier = Math.min(ours, theirs)
      const leftMs = earlier + validityMs - Math.max(ours, theirs)
      if (leftMs < LEFT_MIN_MS) throw tooFarApart(network, ours, theirs)
      return earlier
    },
  }
}

/** Nobody may have used the chain for a while. Then its newest block is old, and its clock is not. */
async function readTime({ chain, head }: Asked, ours: Instant): Promise<Instant> {
  if (ours - head.time <= APART_MS) return head.time
  return Math.max(head.time, (await chain.pendingTime()) ?? head.time)
}

function tooFarApart(network: string, ours: Instant, theirs: Instant): Problem {
  return new Problem(
    X402_PROBLEMS.chain_clock_apart,
    `The database's clock shows ${toIso(ours)}, and the clock of ${network} shows ${toIso(theirs)}: by the later one a payment would expire at once, or nearly. Nothing was decided, held or signed. Correct the database's clock if it is wrong; if the chain has stopped, wait until it continues.`,
    { retryAfterSeconds: 30 },
  )
}

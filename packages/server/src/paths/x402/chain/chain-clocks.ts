import { Problem } from '../../../base/errors.ts'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { type Instant, toIso } from '../../../core/time/instant.ts'
import { X402_LOG_EVENTS } from '../log-events.ts'
import { X402_PROBLEMS } from '../problems.ts'
import type { Chain, Head } from './chains.ts'

/**
 * Tolerates this difference: blocks are some seconds apart, so the newest one is always a little
 * old.
 */
const APART_MS = 60_000
/** Leaves the vendor at least this much time to settle a payment. */
const LEFT_MIN_MS = 15_000

/** A chain and its newest block. */
interface Asked {
  readonly network: string
  readonly chain: Chain
  readonly head: Head
}

interface Reckoning {
  /** The database's time when the gateway read the newest block. */
  readonly ours: Instant
  readonly validityMs: number
}

/**
 * Compares the database's clock with the clocks of chains, because a token compares the times in an
 * authorization with the time of its blocks (ADR 21).
 */
export interface ChainClocks {
  /**
   * Returns the start of a payment's validity if the clocks differ: the earlier of the two, so that
   * the payment is valid by both. Returns undefined if the clocks agree. Throws if the later clock
   * would leave too little time.
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

/**
 * Reads the pending block if the newest one is old: a chain without traffic has an old block, but
 * its clock may be right.
 */
async function readTime({ chain, head }: Asked, ours: Instant): Promise<Instant> {
  if (ours - head.time <= APART_MS) return head.time
  return Math.max(head.time, (await chain.pendingTime()) ?? head.time)
}

function tooFarApart(network: string, ours: Instant, theirs: Instant): Problem {
  return new Problem(
    X402_PROBLEMS.chain_clock_apart,
    `The database's clock shows ${toIso(ours)}, and the clock of ${network} shows ${toIso(theirs)}. By the later clock, a payment would expire at once or almost at once. Nothing was decided, held or signed. Correct the database's clock if it is wrong; if the chain has stopped, wait until it continues.`,
    { retryAfterSeconds: 30 },
  )
}

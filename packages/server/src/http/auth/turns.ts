import { Problem } from '../../base/errors.ts'

/** Lets a few calls run at a time, and a bounded number wait. */
export interface Turns {
  run<T>(call: () => Promise<T>): Promise<T>
}

interface Waiting {
  begin(): void
  refuse(error: Problem): void
}

interface TurnsParts {
  readonly atOnce: number
  readonly waitingMax: number
  /** The error for a refused call. */
  tooMany(): Problem
}

/**
 * If too many calls wait, one of them is refused at random. If it were the latest, a flood from one
 * client would keep all others out; this way each call has the same chance, and can be retried.
 */
export function createTurns({ atOnce, waitingMax, tooMany }: TurnsParts): Turns {
  const queue: Waiting[] = []
  let running = 0

  function turn(): Promise<void> | undefined {
    if (running < atOnce) {
      running += 1
      return undefined
    }
    return new Promise((begin, refuse) => {
      const place = queue.length < waitingMax ? queue.length : randomBelow(waitingMax)
      queue[place]?.refuse(tooMany())
      queue[place] = { begin, refuse }
    })
  }

  /** Passes the turn directly to the next waiting call, so that a new call cannot take it first. */
  function end(): void {
    const next = queue.shift()
    if (next) next.begin()
    else running -= 1
  }

  return {
    async run(call) {
      const waiting = turn()
      if (waiting !== undefined) await waiting
      try {
        return await call()
      } finally {
        end()
      }
    },
  }
}

function randomBelow(count: number): number {
  return Math.floor(Math.random() * count)
}

export function tooManyUnknown(what: 'keys' | 'sessions'): Problem {
  return new Problem(
    'rate_limited',
    `Too many requests use ${what} that this process has not seen before. Retry shortly.`,
    { retryAfterSeconds: 1, extra: { limited: `unknown_${what}` } },
  )
}

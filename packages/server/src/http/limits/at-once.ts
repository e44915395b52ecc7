import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { whenOver } from './when-over.ts'

/** Limits how many requests of a kind each API key may have in progress. */
export interface AtOnce {
  /** Takes a slot until the answer has been sent, or its connection is closed. */
  hold(request: FastifyRequest, reply: FastifyReply): void
  /** Takes a slot while this runs. */
  run<T>(request: FastifyRequest, call: () => Promise<T>): Promise<T>
}

/**
 * For requests that cost much more than others: each key gets few slots, so that one key cannot
 * take all capacity. A request beyond the limit is refused and not queued, because a queue would
 * only hide the load from its caller.
 */
export function createAtOnce({ most, of }: { most: number; of: string }): AtOnce {
  const taken = new Map<string, number>()

  function take({ principal }: FastifyRequest): () => void {
    const own = taken.get(principal.id) ?? 0
    if (own >= most) throw tooMany(most, of)
    taken.set(principal.id, own + 1)
    return () => {
      const left = (taken.get(principal.id) ?? 1) - 1
      if (left === 0) taken.delete(principal.id)
      else taken.set(principal.id, left)
    }
  }

  return {
    hold(request, reply) {
      whenOver(request, reply, take(request))
    },
    async run(request, call) {
      const release = take(request)
      try {
        return await call()
      } finally {
        release()
      }
    },
  }
}

function tooMany(most: number, of: string): Problem {
  return new Problem(
    'rate_limited',
    `A key can have at most ${most} ${of} at a time. Wait until one of them has ended.`,
    {
      retryAfterSeconds: 1,
      extra: { limited: of.toLowerCase().replaceAll(' ', '_'), limit: most },
    },
  )
}

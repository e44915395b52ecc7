import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerWatch } from '../../approvals/answer-watch.ts'
import { Problem } from '../../base/errors.ts'
import type { Principal } from '../../core/principal.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import { createAtOnce } from '../../http/limits/at-once.ts'
import { whenOver } from '../../http/limits/when-over.ts'

/** Each one costs a connection for up to 50 seconds. */
export const POLLS_MAX = 1_000
export const POLLS_PER_ORGANIZATION_MAX = 200
export const POLLS_PER_KEY_MAX = 50

export interface LongPolls {
  /** Resolves when the approval is decided, the wait is over, or the caller has disconnected. */
  wait(
    request: FastifyRequest,
    reply: FastifyReply,
    approval: { readonly id: string },
    ms: number,
  ): Promise<void>
}

interface PollParts {
  readonly watch: WatchPrincipal
  readonly answerWatch: AnswerWatch
}

/** Requests that wait for a decision, with limits per process, organization and key. */
export function createLongPolls({ watch, answerWatch }: PollParts): LongPolls {
  const open = new Map<AbortController, string>()
  const atOnce = createAtOnce({ most: POLLS_PER_KEY_MAX, of: 'waits for approvals' })

  function requireRoom(organizationId: string): void {
    const own = [...open.values()].filter((id) => id === organizationId).length
    if (open.size < POLLS_MAX && own < POLLS_PER_ORGANIZATION_MAX) return
    throw new Problem(
      'overloaded',
      'Too many requests wait for approvals. Send the request without `wait`.',
      {
        retryAfterSeconds: 5,
      },
    )
  }

  return {
    async wait(request, reply, { id }, ms) {
      const { organizationId, principal } = request
      requireRoom(organizationId)
      await atOnce.run(request, async () => {
        const ending = new AbortController()
        open.set(ending, organizationId)
        const timer = setTimeout(() => ending.abort(), ms)
        let isGone = false
        const unwatch = watch(principal, () => {
          isGone = true
          ending.abort()
        })
        whenOver(request, reply, () => ending.abort())
        try {
          await answerWatch.wait(organizationId, id, ending.signal)
        } finally {
          clearTimeout(timer)
          unwatch()
          open.delete(ending)
        }
        if (isGone) throw goneMeanwhile(principal)
      })
    },
  }
}

function goneMeanwhile({ kind }: Pick<Principal, 'kind'>): Problem {
  const gone = kind === 'member' ? 'The session ended' : 'The API key was revoked'
  return new Problem('unauthenticated', `${gone} while this request was waiting.`)
}

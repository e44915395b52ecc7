import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendBeforeBody } from './body/unread-body.ts'
import {
  API_PREFIX,
  isDisguised,
  type KnownAddresses,
  notRouted,
  pathOf,
} from './known-addresses.ts'
import { sendUnrouted } from './problems.ts'

/** An address below which even unrouted requests are answered in a protocol other than ours. */
export interface Doorway {
  /** The address without parameters, such as /ingest/stripe. */
  readonly below: string
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void
}

/**
 * Answers a request without a route and returns true, or leaves it to the next. It sees neither
 * requests below a door nor those to an address that has a route with a different method.
 */
export type Fallback = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

interface Unrouted {
  readonly addresses: KnownAddresses
  readonly doorways: readonly Doorway[]
  readonly fallbacks: readonly Fallback[]
}

type AnswerNotRouted = (
  request: FastifyRequest,
  reply: FastifyReply,
  failed: (error: Error) => void,
) => void

/** Answers a request without a route. OPTIONS is answered for every address that has a method. */
export function createAnswerNotRouted(parts: Unrouted): AnswerNotRouted {
  const { addresses, doorways, fallbacks } = parts
  return (request, reply, failed) => {
    // A door answers in its own format, even for a method that it does not support.
    const isAtDoor = findDoorway(doorways, request) !== undefined
    const leadsNowhere = isAtDoor || isDisguised(request)
    const methods = leadsNowhere ? [] : addresses.methodsAt(pathOf(request))
    if (methods.length === 0 && !isAtDoor && fallbacks.length > 0) {
      answerWith(fallbacks, request, reply).catch(failed)
      return
    }
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    if (methods.length === 0 || request.method !== 'OPTIONS') throw notRouted(request, methods)
    sendBeforeBody(request, reply, '')
  }
}

async function answerWith(
  fallbacks: readonly Fallback[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  for (const answer of fallbacks) if (await answer(request, reply)) return
  throw notRouted(request, [])
}

/**
 * Compares only the beginning of the address, because the router finds no door for an address whose
 * parameter is missing, too long or cannot be decoded.
 */
export function findDoorway(
  doorways: readonly Doorway[],
  request: FastifyRequest,
): Doorway | undefined {
  const path = `${pathOf(request)}/`
  if (path.startsWith(`${API_PREFIX}/`)) return undefined
  return doorways
    .filter(({ below }) => path.startsWith(`${below}/`))
    .reduce<Doorway | undefined>(
      (found, one) => (found && found.below.length >= one.below.length ? found : one),
      undefined,
    )
}

export function answerUnrouted(
  doorway: Doorway | undefined,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  try {
    const send = doorway?.answer ?? sendUnrouted
    send(error, request, reply)
  } catch (defect) {
    sendUnrouted(defect, request, reply)
  }
}

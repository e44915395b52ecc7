import type { Instant } from '../../core/time/instant.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Decided } from '../../gateway/submission.ts'
import { newAskedIds, toGuessed, withoutSpender } from './asked.ts'
import { type AskedAbout, createAskedReader, isCardRefusal } from './asked-reader.ts'
import type { CardRequest } from './issuers/issuer.ts'
import { keepRequest } from './keep-request.ts'
import { keyOf } from './ledger/record.ts'
import type { OpenedConnection } from './registry/connection.ts'
import type { Remembered, RememberedCard } from './remembered.ts'

/** A request with the time of its arrival. */
export interface Arrived {
  readonly connection: OpenedConnection
  readonly request: CardRequest
  readonly receivedAt: number
  readonly askedBy: string | undefined
}

interface SubmitParts {
  readonly gateway: Pick<Gateway, 'decide'>
  readonly now: () => Instant
  readonly remembered: Remembered
}

/** Submits a request for a decision. Rejects with a CardRefusal if the card cannot be judged. */
export type SubmitRequest = (arrived: Arrived, card: RememberedCard) => Promise<Decided>

/** Gives up on a card whose agent has changed at each attempt. */
const TRIES_MAX = 3

/**
 * The locks need an agent, so the first attempt uses the remembered one. Under the locks the card is
 * read again; if its agent has changed, the next attempt locks the mandates of the new agent.
 */
export function createSubmitRequest({ gateway, now, remembered }: SubmitParts): SubmitRequest {
  const reader = createAskedReader(remembered, now)

  function submit(arrived: Arrived, card: RememberedCard): Promise<Decided> {
    const { connection, request, receivedAt, askedBy } = arrived
    const ids = newAskedIds(now())
    const vendor = remembered.merchant(connection.organizationId, request)
    const asked = toGuessed({ connection, request, card, vendor }, ids)
    const about: AskedAbout = { connection, request, card, ids }
    return gateway.decide({
      spend: asked.spend,
      reason: null,
      metadata: null,
      idempotency: keyOf(connection.id, request.requestId),
      noted: asked.noted,
      permit: { alike: true },
      ...(askedBy === undefined ? {} : { askedBy }),
      alongside: (row) => keepRequest(row, { request, asked: withoutSpender(asked), at: now() }),
      reading: { reader, about },
      answerBy: deadlineOf(arrived),
      receivedAt,
    })
  }

  return async (arrived, first) => {
    let card = first
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      try {
        return await submit(arrived, card)
      } catch (error) {
        if (!isCardRefusal(error) || error.refusedCard !== 'moved') throw error
        card = error.to
      }
    }
    throw new Error('The agent of a card changed during every attempt to decide on its request.')
  }
}

/** The deadline for the issuer's answer, on the process's monotonic clock. */
export function deadlineOf({ connection, receivedAt }: Arrived): number {
  return receivedAt + connection.deadlineMs
}

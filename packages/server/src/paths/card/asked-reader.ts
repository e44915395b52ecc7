import type { Instant } from '../../core/time/instant.ts'
import type { PathPass, PathReader, Prepared } from '../../gateway/submission.ts'
import type { DecisionRow } from '../../storage/decisions/store-decisions.ts'
import { type Asked, type AskedIds, toAsked } from './asked.ts'
import type { CardRequest } from './issuers/issuer.ts'
import { factsOfRequest, keepRequest } from './keep-request.ts'
import type { Fact, RequestFact } from './ledger/facts.ts'
import type { OpenedConnection } from './registry/connection.ts'
import type { Remembered, RememberedCard } from './remembered.ts'
import { type AskedContext, readAskedContexts } from './storage/asked-context.ts'

/** A request that waits to be judged, and the card as it was remembered. */
export interface AskedAbout {
  readonly connection: OpenedConnection
  readonly request: CardRequest
  readonly card: RememberedCard
  readonly ids: AskedIds
}

/** Why a request was not judged. */
export type CardRefusal =
  | { readonly refusedCard: 'unknown' }
  | { readonly refusedCard: 'full' }
  /** The card now belongs to a different agent, whose mandates are not locked. */
  | { readonly refusedCard: 'moved'; readonly to: RememberedCard }

export function isCardRefusal(error: unknown): error is CardRefusal {
  return typeof error === 'object' && error !== null && 'refusedCard' in error
}

/**
 * Reads card, facts and vendor of requests under the locks of their mandates, and converts each request
 * for judging. A later request of the same authorization in the batch sees the facts of the earlier
 * one.
 */
export function createAskedReader(
  remembered: Remembered,
  now: () => Instant,
): PathReader<AskedAbout> {
  return {
    async read(tx, organizationId, abouts) {
      const asked = abouts.map(({ connection, request }) => ({
        connectionId: connection.id,
        request,
      }))
      const contexts = await readAskedContexts(tx, organizationId, asked)
      const read = new Map<AskedAbout, Read>()
      for (const [at, about] of abouts.entries()) {
        const context = contexts[at]
        if (!context) throw new Error('Nothing was read about a card request.')
        remember(about, context)
        read.set(about, { context, asked: once(() => toAskedOf(about, context)) })
      }
      return { begin: () => beginPass((about) => read.get(about), now) }
    },
  }

  function remember({ connection, request }: AskedAbout, context: AskedContext): void {
    if (!context.card) return
    remembered.keepCard(connection.id, request, context.card)
    remembered.keepMerchant(connection.organizationId, request, context.vendor)
  }
}

interface Read {
  readonly context: AskedContext
  /** The request as it is judged, unless the batch has an earlier one of its authorization. */
  readonly asked: () => Asked | undefined
}

function toAskedOf(
  { connection, request, ids }: AskedAbout,
  context: AskedContext,
): Asked | undefined {
  const { card } = context
  return card && toAsked({ connection, request, card, context }, ids)
}

/** A batch is prepared and judged in several passes, and most find the same facts. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function beginPass(
  readOf: (about: AskedAbout) => Read | undefined,
  now: () => Instant,
): PathPass<AskedAbout> {
  const left = new Map<string, Fact[]>()
  return {
    prepare(about) {
      const read = readOf(about)
      if (!read) throw new Error('Nothing was read about a card request.')
      const name = nameOf(about)
      const ofBatch = left.get(name) ?? []
      left.set(name, ofBatch)
      return prepare(
        about,
        ofBatch.length === 0 ? read : withFacts(about, read, ofBatch),
        ofBatch,
        now,
      )
    },
  }
}

function withFacts(about: AskedAbout, { context }: Read, ofBatch: readonly Fact[]): Read {
  const later = { ...context, facts: [...context.facts, ...ofBatch] }
  return { context: later, asked: () => toAskedOf(about, later) }
}

function prepare(
  { request, card: expected }: AskedAbout,
  { context, asked: judged }: Read,
  left: Fact[],
  now: () => Instant,
): Prepared {
  const { card, facts } = context
  const earlier = requestOf(facts, request)
  // The stored decision counts, even if its idempotency key is gone or its card has changed.
  if (earlier) return { decidedAs: earlier.transactionId }
  const asked = judged()
  if (!card || !asked) return refuse({ refusedCard: 'unknown' })
  if (card.agentId !== expected.agentId) {
    // A decline at the deadline assigns the authorization to the agent that now has the card.
    const alongside = (row: DecisionRow) => keepRequest(row, { request, asked, at: now() })
    return { refusal: { refusedCard: 'moved', to: card } satisfies CardRefusal, alongside }
  }
  if (context.isFull) return refuse({ refusedCard: 'full' })
  return {
    spend: asked.spend,
    noted: asked.noted,
    alongside(row) {
      left.push(...factsOfRequest(row, request))
      return keepRequest(row, { request, asked, at: now() })
    },
  }
}

/** The stored fact of this request, if there is one. */
export function requestOf(
  facts: readonly Fact[],
  { requestId }: CardRequest,
): RequestFact | undefined {
  const requests = facts.filter((fact) => fact.kind === 'request')
  return requests.find(({ id }) => id === requestId)
}

function refuse(refusal: CardRefusal): Prepared {
  return { refusal }
}

function nameOf({ connection, request }: AskedAbout): string {
  return `${connection.id} ${request.authorizationId}`
}

import type { Body } from './turned-site.ts'

/** What a client knows of a spend that it was answered. All amounts are micros. */
export interface Entry {
  readonly id: string
  readonly mandateId: string
  /** The instant of the decision, by the database's clock. */
  readonly decidedAt: number
  /** Undefined for a spend that is not held. A test may end a hold early. */
  expiresAt: number | undefined
  held: number
  settled: number
  refunded: number
  /** Settled when its time was over: only this may go beyond a budget. */
  isLate: boolean
}

interface Sums {
  spent: number
  held: number
  /** What the budget has to hold: all but what was settled late. */
  bound: number
}

export interface Ledger {
  /** Everything that was decided, rejections too. */
  readonly decided: ReadonlyMap<string, number>
  addMandate(id: string, parentId?: string): void
  readonly mandateIds: readonly string[]
  /** Undefined if the spend was rejected. */
  decide(answer: Body, holdMs: number | undefined): Entry | undefined
  /** What the answer to a change says of a spend. */
  change(entry: Entry, answer: Body): void
  sumsOf(mandateId: string, now: number): Sums
}

export const toMicros = (units: number): number => Math.round(units * 1e6)

/**
 * The sums as the clients can work them out from what they were told, with none of the gateway's code.
 * Each spend has one client, so the last answer about it is the truth.
 */
export function createLedger(): Ledger {
  const lines = new Map<string, readonly string[]>()
  const entries: Entry[] = []
  const decided = new Map<string, number>()

  return {
    decided,
    get mandateIds() {
      return [...lines.keys()]
    },
    addMandate(id, parentId) {
      lines.set(id, [id, ...(lines.get(parentId ?? '') ?? [])])
    },
    decide(answer, holdMs) {
      const { transactionId: id, mandateId, decision, evaluationDetails } = answer
      const decidedAt = Date.parse(evaluationDetails.evaluatedAt)
      decided.set(id, decidedAt)
      if (decision === 'rejected') return undefined
      const amount = toMicros(answer.amount)
      const entry: Entry = {
        id,
        mandateId,
        decidedAt,
        expiresAt: holdMs === undefined ? undefined : decidedAt + holdMs,
        held: holdMs === undefined ? 0 : amount,
        settled: holdMs === undefined ? amount : 0,
        refunded: 0,
        isLate: false,
      }
      entries.push(entry)
      return entry
    },
    change(entry, answer) {
      entry.held = toMicros(answer.heldAmount)
      entry.settled = toMicros(answer.settledAmount)
      entry.refunded = toMicros(answer.refundedAmount)
    },
    sumsOf(mandateId, now) {
      const sums: Sums = { spent: 0, held: 0, bound: 0 }
      for (const entry of entries) {
        if (!lines.get(entry.mandateId)?.includes(mandateId)) continue
        const isOver = entry.expiresAt !== undefined && entry.expiresAt <= now
        const held = isOver ? 0 : entry.held
        const spent = held + entry.settled - entry.refunded
        sums.held += held
        sums.spent += spent
        if (!entry.isLate) sums.bound += spent
      }
      return sums
    },
  }
}

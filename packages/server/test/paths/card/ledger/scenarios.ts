import type {
  CaptureFact,
  Fact,
  RefundFact,
  ReleaseFact,
  RequestFact,
  SnapshotFact,
} from '../../../../src/paths/card/ledger/facts.ts'
import { units } from '../../../core/desk.ts'

/** What can become of an authorization: its facts in the order of time, and where they end. */
export interface Scenario {
  readonly name: string
  readonly facts: readonly Fact[]
  readonly ends: {
    readonly held: number
    readonly captured: number
    readonly refunded: number
    /** By the id of the request, or `recorded`: held, captured, refunded, flags. */
    readonly transactions: Readonly<Record<string, Ending>>
  }
}

type Ending = readonly [held: number, captured: number, refunded: number, ...flags: string[]]

/** The `turn` is the time too. */
export function asked(turn: number, amount: number, isApproved = true): RequestFact {
  const id = `request-${turn}`
  const at = turn * 1_000
  return {
    kind: 'request',
    id,
    at,
    index: turn,
    amount: units(amount),
    isApproved,
    transactionId: id,
  }
}

export function seen(
  second: number,
  covers: number | null,
  amount: number | null,
  more: Partial<SnapshotFact> = {},
): SnapshotFact {
  const told = { status: 'pending', isApproved: true, captures: [] } as const
  const sum = amount === null ? null : units(amount)
  const id = `snapshot-${second}`
  return { kind: 'snapshot', id, at: second * 1_000, covers, amount: sum, ...told, ...more }
}

export function taken(second: number, amount: number): CaptureFact {
  return { kind: 'capture', id: `capture-${second}`, at: second * 1_000, amount: units(amount) }
}

export function givenBack(
  second: number,
  amount: number,
  cause: RefundFact['cause'] = 'merchant',
): RefundFact {
  const id = `refund-${second}`
  return { kind: 'refund', id, at: second * 1_000, cause, amount: units(amount) }
}

export function givenUp(second: number, amount: number): ReleaseFact {
  return { kind: 'release', id: `release-${second}`, at: second * 1_000, amount: units(amount) }
}

const closed = { status: 'closed' } as const
const declined = { status: 'closed', isApproved: false } as const

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'confirmed and captured in full',
    facts: [
      asked(0, 50),
      seen(1, 1, 50),
      taken(100, 50),
      seen(101, 1, 50, { ...closed, captures: ['capture-100'] }),
    ],
    ends: { held: 0, captured: 50, refunded: 0, transactions: { 'request-0': [0, 50, 0] } },
  },
  {
    name: 'an increment that is confirmed',
    facts: [asked(0, 50), seen(1, 1, 50), asked(1, 30), seen(3, 2, 80)],
    ends: {
      held: 80,
      captured: 0,
      refunded: 0,
      transactions: { 'request-0': [50, 0, 0], 'request-1': [30, 0, 0] },
    },
  },
  {
    name: 'an increment that nobody has confirmed yet',
    facts: [asked(0, 50), seen(1, 1, 50), asked(1, 30)],
    ends: {
      held: 80,
      captured: 0,
      refunded: 0,
      transactions: { 'request-0': [50, 0, 0], 'request-1': [30, 0, 0] },
    },
  },
  {
    name: 'an increment that the issuer declined after all',
    facts: [asked(0, 50), seen(1, 1, 50), asked(1, 30), seen(3, 2, 50)],
    ends: {
      held: 50,
      captured: 0,
      refunded: 0,
      transactions: { 'request-0': [50, 0, 0], 'request-1': [0, 0, 0] },
    },
  },
  {
    name: 'an increment that we declined',
    facts: [asked(0, 50), seen(1, 1, 50), asked(1, 30, false), seen(3, 2, 50)],
    ends: { held: 50, captured: 0, refunded: 0, transactions: { 'request-0': [50, 0, 0] } },
  },
  {
    name: 'a late approval that the issuer did not wait for',
    facts: [asked(0, 50), seen(2, 1, 0, declined)],
    ends: { held: 0, captured: 0, refunded: 0, transactions: { 'request-0': [0, 0, 0] } },
  },
  {
    name: 'reversed in part, then as a whole',
    facts: [asked(0, 50), seen(1, 1, 50), seen(20, 1, 20), seen(30, 1, 0, { status: 'reversed' })],
    ends: { held: 0, captured: 0, refunded: 0, transactions: { 'request-0': [0, 0, 0] } },
  },
  {
    name: 'expired, and captured long after',
    facts: [asked(0, 50), seen(1, 1, 50), seen(20, 1, 50, { status: 'expired' }), taken(40, 45)],
    ends: {
      held: 0,
      captured: 45,
      refunded: 0,
      transactions: { 'request-0': [0, 45, 0, 'late_capture'] },
    },
  },
  {
    name: 'captured in parts, the last of which closes it',
    facts: [
      asked(0, 100),
      taken(20, 40),
      seen(21, 1, 60, { captures: ['capture-20'] }),
      taken(30, 25),
      seen(31, 1, 0, { ...closed, captures: ['capture-20', 'capture-30'] }),
    ],
    ends: { held: 0, captured: 65, refunded: 0, transactions: { 'request-0': [0, 65, 0] } },
  },
  {
    name: 'captured in part and still open',
    facts: [asked(0, 100), seen(1, 1, 100), taken(20, 40)],
    ends: { held: 60, captured: 40, refunded: 0, transactions: { 'request-0': [60, 40, 0] } },
  },
  {
    name: 'captured beyond what was approved',
    facts: [
      asked(0, 50),
      seen(1, 1, 50),
      taken(20, 60),
      seen(21, 1, 50, { ...closed, captures: ['capture-20'] }),
    ],
    ends: {
      held: 0,
      captured: 60,
      refunded: 0,
      transactions: { 'request-0': [0, 60, 0, 'over_capture'] },
    },
  },
  {
    name: 'a fuel pump that asks for little, holds much and captures the middle',
    facts: [asked(0, 1), seen(1, 1, 100), taken(20, 62), seen(21, 1, 0, closed)],
    ends: {
      held: 0,
      captured: 62,
      refunded: 0,
      transactions: { 'request-0': [0, 62, 0, 'raised'] },
    },
  },
  {
    name: 'captured without an authorization',
    facts: [taken(20, 33)],
    ends: {
      held: 0,
      captured: 33,
      refunded: 0,
      transactions: { recorded: [0, 33, 0, 'ungoverned'] },
    },
  },
  {
    name: 'approved by the issuer although we declined',
    facts: [asked(0, 50, false), seen(1, 1, 50), taken(20, 50), seen(21, 1, 0, closed)],
    ends: {
      held: 0,
      captured: 50,
      refunded: 0,
      transactions: { recorded: [0, 50, 0, 'ungoverned'] },
    },
  },
  {
    name: 'approved by the issuer without us, then reversed',
    facts: [seen(1, 1, 50), seen(20, 1, 0, { status: 'reversed' })],
    ends: {
      held: 0,
      captured: 0,
      refunded: 0,
      transactions: { recorded: [0, 0, 0, 'ungoverned'] },
    },
  },
  {
    name: 'approved without us, then an increment that we approved',
    facts: [asked(0, 50, false), seen(1, 1, 50), asked(1, 20), seen(3, 2, 70), taken(20, 65)],
    ends: {
      held: 5,
      captured: 65,
      refunded: 0,
      transactions: { 'request-1': [0, 20, 0], recorded: [5, 45, 0, 'ungoverned'] },
    },
  },
  {
    name: 'refunded in part, more than once',
    facts: [asked(0, 50), taken(20, 50), givenBack(30, 20), givenBack(31, 10), givenBack(32, -5)],
    ends: { held: 0, captured: 50, refunded: 25, transactions: { 'request-0': [0, 50, 25] } },
  },
  {
    name: 'a refund that is larger than what was captured so far',
    facts: [asked(0, 50), seen(1, 1, 50), taken(20, 30), givenBack(30, 40)],
    ends: { held: 20, captured: 30, refunded: 30, transactions: { 'request-0': [20, 30, 30] } },
  },
  {
    name: 'a dispute that is won and then lost',
    facts: [
      asked(0, 50),
      taken(20, 50),
      givenBack(50, 50, 'dispute'),
      givenBack(90, -50, 'dispute'),
    ],
    ends: { held: 0, captured: 50, refunded: 0, transactions: { 'request-0': [0, 50, 0] } },
  },
  {
    name: 'parts given up, by an issuer that never says what is left',
    facts: [asked(0, 50), seen(1, null, null), givenUp(10, 15), taken(20, 20), givenUp(30, 5)],
    ends: { held: 10, captured: 20, refunded: 0, transactions: { 'request-0': [10, 20, 0] } },
  },
  {
    name: 'lapsed, and confirmed by the issuer after all',
    facts: [asked(0, 50), seen(80, null, null, { status: 'lapsed' }), seen(90, 1, 50)],
    ends: { held: 50, captured: 0, refunded: 0, transactions: { 'request-0': [50, 0, 0] } },
  },
  {
    name: 'two requests, captured beyond both and refunded',
    facts: [asked(0, 40), asked(1, 20), seen(3, 2, 60), taken(20, 70), givenBack(40, 65)],
    ends: {
      held: 0,
      captured: 70,
      refunded: 65,
      transactions: { 'request-0': [0, 40, 40], 'request-1': [0, 30, 25, 'over_capture'] },
    },
  },
]

/**
 * Every order in which the facts can become known. An issuer asks one after the other, and tells
 * nothing of a request before it has our answer; everything else comes as it likes.
 */
export function ordersOf(facts: readonly Fact[]): Fact[][] {
  if (facts.length === 0) return [[]]
  return facts
    .filter((fact) => facts.every((other) => other === fact || !mustPrecede(other, fact)))
    .flatMap((first) => {
      const rest = facts.filter((fact) => fact !== first)
      return ordersOf(rest).map((order) => [first, ...order])
    })
}

function mustPrecede(earlier: Fact, later: Fact): boolean {
  if (earlier.kind !== 'request') return false
  if (later.kind === 'request') return earlier.at < later.at
  if (later.kind === 'snapshot')
    return later.covers === null || Number(earlier.index) < later.covers
  return earlier.index === 0
}

import { afterEach, describe, expect, test } from 'vitest'
import type { CardEvent } from '../../../../src/paths/card/issuers/issuer.ts'
import { type Native, openDoors } from '../../../support/card/doors.ts'
import { createStandInIssuer } from '../../../support/card/stand-in-issuer.ts'

const USD = {
  card: 'card-1',
  amount: 4_900,
  currency: 'USD',
  merchant: { name: 'EXAMPLE SAAS INC', id: '100200300400', mcc: '5734', country: 'US' },
  partialSupported: true,
}

/** The time that real issuers give would be too short for a busy machine. */
const PATIENT = { waitMs: 60_000 }

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function open(...args: Parameters<typeof openDoors>) {
  const opened = await openDoors(...args)
  stops.push(opened.close)
  return opened
}

/** What the events say of money, shortly. */
function moneyIn(events: readonly CardEvent[]): readonly (readonly [string, number])[] {
  const facts = new Map(events.flatMap((event) => event.facts).map((fact) => [fact.id, fact]))
  return [...facts.values()].flatMap((fact) =>
    fact.kind === 'snapshot' ? [] : [[fact.kind, Number(fact.amount) / 1e6] as const],
  )
}

function lastSnapshot(events: readonly CardEvent[]) {
  return events.flatMap(({ facts }) => facts).findLast((fact) => fact.kind === 'snapshot')
}

describe.each<Native>(['stripe', 'lithic'])('a stand-in for %s', (provider) => {
  test('asks, is answered, and tells of captures, too much, and refunds', async () => {
    const { doors, requests, events } = await open(provider, () => ({}))
    const issuer = createStandInIssuer(provider, doors, PATIENT)
    const { authorizationId, isApproved } = await issuer.authorize(USD)
    expect([isApproved, requests[0]?.amount, requests[0]?.merchant.name]).toEqual([
      true,
      49_000_000n,
      'EXAMPLE SAAS INC',
    ])
    await issuer.increment(authorizationId, 1_500)
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(2)
    expect(lastSnapshot(events)).toMatchObject({ status: 'pending', amount: 64_000_000n })
    await issuer.capture(authorizationId, 2_000, false)
    expect(lastSnapshot(events)).toMatchObject({ status: 'pending', amount: 44_000_000n })
    await issuer.capture(authorizationId, 5_880)
    await issuer.refund(authorizationId, 1_000)
    expect(lastSnapshot(events)).toMatchObject({ status: 'closed' })
    expect(moneyIn(events)).toEqual([
      ['capture', 20],
      ['capture', 58.8],
      ['refund', 10],
    ])
    expect(new Set(events.map((event) => event.authorizationId))).toEqual(
      new Set([authorizationId]),
    )
  })

  test('gives up, partly and wholly, and lets expire', async () => {
    const { doors, events } = await open(provider, () => ({}))
    const issuer = createStandInIssuer(provider, doors, PATIENT)
    const { authorizationId } = await issuer.authorize(USD)
    await issuer.reverse(authorizationId, 900)
    expect(lastSnapshot(events)).toMatchObject({ status: 'pending', amount: 40_000_000n })
    await issuer.reverse(authorizationId)
    expect(lastSnapshot(events)).toMatchObject({ status: 'reversed', amount: 0n })
    const other = await issuer.authorize(USD)
    await issuer.expire(other.authorizationId)
    expect(lastSnapshot(events)).toMatchObject({ status: 'expired' })
    expect(moneyIn(events)).toEqual([])
  })

  test('holds a part where only a part was approved, and nothing where it was declined', async () => {
    const verdicts = [
      { isPartial: true, approvedAmount: 25_000_000n },
      { isApproved: false, code: 'budget_exceeded' },
    ]
    const { doors, events } = await open(provider, () => verdicts.shift())
    const issuer = createStandInIssuer(provider, doors, PATIENT)
    await issuer.authorize(USD)
    expect(lastSnapshot(events)).toMatchObject({ isApproved: true, amount: 25_000_000n })
    expect(await issuer.authorize(USD)).toMatchObject({ isApproved: false })
    expect(lastSnapshot(events)).toMatchObject({ isApproved: false, status: 'closed' })
  })

  test('takes money that nobody was asked about', async () => {
    const { doors, requests, events } = await open(provider, () => ({}))
    await createStandInIssuer(provider, doors, PATIENT).forceCapture({ ...USD, amount: 1_200 })
    expect([requests, moneyIn(events)]).toEqual([[], [['capture', 12]]])
  })

  test('decides by itself when no answer comes in its time, and says so', async () => {
    const { doors, events } = await open(provider, () => undefined)
    const issuer = createStandInIssuer(provider, doors, { waitMs: 50 })
    expect(await issuer.authorize(USD)).toMatchObject({
      isApproved: false,
      asked: { kind: 'failure', isLate: true },
    })
    expect(events).toMatchObject([{ decidedWithoutUs: 'timeout' }])
  })

  test('repeats an event until it is understood', async () => {
    const { doors, events } = await open(provider, () => ({}), [503, 500])
    await createStandInIssuer(provider, doors, PATIENT).authorize(USD)
    expect(events).toHaveLength(1)
  })
})

test('a stand-in for Lithic asks once more after a failure, and Stripe does not', async () => {
  const counted = async (provider: Native): Promise<number> => {
    const { doors, requests } = await open(provider, (_request, response) => {
      response.writeHead(502).end()
      return undefined
    })
    await createStandInIssuer(provider, doors, PATIENT).authorize(USD)
    return requests.length
  }
  expect([await counted('stripe'), await counted('lithic')]).toEqual([1, 2])
})

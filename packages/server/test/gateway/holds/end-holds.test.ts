import { describe, expect, test } from 'vitest'
import { planEnds, planExpiry } from '../../../src/gateway/holds/end-holds.ts'
import { NOON, units } from '../../core/desk.ts'
import { someTransaction } from '../../core/some-transaction.ts'

const HOLD = someTransaction({ expiresAt: NOON + 60_000 })
const PAID = someTransaction({ status: 'settled', heldAmount: 0n, settledAmount: units(10) })

describe('the expiry of a hold', () => {
  test('releases it at its instant, and not before', () => {
    expect(planExpiry(HOLD, NOON + 59_999)).toBeUndefined()
    expect(planExpiry(HOLD, NOON + 60_000)).toMatchObject({ status: 'expired', heldAmount: 0n })
  })

  test('leaves what has ended as it is', () => {
    const expired = someTransaction({ status: 'expired', heldAmount: 0n })
    for (const ended of [PAID, expired]) expect(planExpiry(ended, NOON + 60_000)).toBeUndefined()
  })
})

describe('the proven end of a hold', () => {
  const end = (result: 'settled' | 'voided', hold = HOLD) =>
    planEnds(new Map([[hold.id, result]]), 'ended_by_hand')(hold, NOON + 5)

  test('settles all of it, or releases it', () => {
    expect(end('settled')).toMatchObject({
      ...{ status: 'settled', settledAmount: units(10), flags: ['ended_by_hand'] },
    })
    expect(end('voided')).toMatchObject({
      ...{ status: 'voided', heldAmount: 0n, settledAmount: 0n, flags: ['ended_by_hand'] },
    })
  })

  test('changes nothing once it has ended', () => {
    expect(end('voided', PAID)).toBeUndefined()
    expect(end('settled', someTransaction({ status: 'voided', heldAmount: 0n }))).toBeUndefined()
  })
})

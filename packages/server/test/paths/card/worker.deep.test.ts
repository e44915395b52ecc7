import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type CardDesk, openCardDesk } from './desk.ts'

const on = { authorizationId: 'authorization-1' }

/** When the worker looks at it next, by the clock of the database. */
async function nextLook({ app, connection }: CardDesk): Promise<number | null> {
  const text = 'select look_at as "lookAt" from card_authorizations where connection_id = $1'
  const [row] = await app.rows<{ lookAt: number | null }>(text, [connection.id])
  return row?.lookAt ?? null
}

/** Turns the clock, and waits until the worker has looked. While it looks, it is due again soon. */
async function turnClock(desk: CardDesk, now: number): Promise<void> {
  desk.app.clock.now = now
  const isOver = (lookAt: number | null) => lookAt === null || lookAt > now + HOUR_MS / 2
  await waitUntil(async () => isOver(await nextLook(desk)))
}

async function hear(desk: CardDesk): Promise<void> {
  await desk.tell('card_status', { card: { externalId: 'tok_1' }, status: 'active' })
  await waitUntil(async () => {
    const text = 'select last_event_at as "at" from card_connections where id = $1'
    const [row] = await desk.app.rows<{ at: number | null }>(text, [desk.connection.id])
    return (row?.at ?? 0) >= (desk.app.clock.now ?? 0)
  })
}

test('a hold that nobody confirms stays while its issuer is silent, and ends once it speaks', async () => {
  const desk = await openCardDesk()
  await desk.ask()
  const start = Date.now()
  await turnClock(desk, start + 25 * HOUR_MS)
  expect(await desk.budget()).toEqual([30, 30, 70])
  await hear(desk)
  desk.app.clock.now = start + 27 * HOUR_MS
  await waitUntil(async () => (await desk.budget())[1] === 0)
  expect(await desk.transactions()).toMatchObject([{ status: 'expired', heldAmount: 0 }])
  await desk.tell('capture', {
    ...on,
    amount: 30,
    currency: 'USD',
    occurredAt: new Date(start + 28 * HOUR_MS).toISOString(),
  })
  expect(await desk.transactions()).toMatchObject([
    { status: 'settled', settledAmount: 30, flags: ['late_capture', 'merchant_unrecognised'] },
  ])
})

test.each([
  ['5734', 8 * DAY_MS, 0],
  ['3501', 8 * DAY_MS, 30],
  ['3501', 32 * DAY_MS, 0],
])('a confirmed hold of a merchant %s holds after %d ms: %d', async (mcc, after, held) => {
  const desk = await openCardDesk()
  await desk.ask({ merchant: { name: 'MERCHANT', id: '1', mcc, country: 'US' } })
  await desk.tell('provider_decision', { ...on, approved: true, amount: 30, currency: 'USD' })
  desk.app.clock.now = Date.now() + after
  await hear(desk)
  // Whatever is due is claimed and looked at, until nothing is.
  await turnClock(desk, Date.now() + after + 2 * HOUR_MS)
  await waitUntil(async () => (await desk.budget())[1] === held)
})

type StoredFields = Readonly<Record<string, unknown>>

/** Stores facts of authorizations as a process does that dies before it has booked them. */
async function leaveUnbooked(
  { app, acme, connection }: CardDesk,
  facts: readonly (readonly [of: string, kind: string, fields: StoredFields])[],
): Promise<void> {
  const at = Date.UTC(2026, 10, 2)
  for (const [of, kind, fields] of facts) {
    await app.rows(
      `insert into card_facts (organization_id, connection_id, authorization_id, kind, id, data)
       values ($1, $2, $3, $4, $5, $6)`,
      [acme.organizationId, connection.id, of, kind, `of ${of}`, JSON.stringify({ at, ...fields })],
    )
  }
  await app.rows(
    `update card_authorizations set is_booked = false, look_at = '2020-01-01' where connection_id = $1`,
    [connection.id],
  )
}

test('what a process stored and did not book is booked by another', async () => {
  const desk = await openCardDesk()
  await desk.ask()
  await leaveUnbooked(desk, [['authorization-1', 'capture', { amount: '12000000' }]])
  await waitUntil(async () => (await desk.budget())[1] === 18)
})

test('one authorization that cannot be booked does not keep others of its organization waiting', async () => {
  const desk = await openCardDesk()
  for (let asked = 0; asked < 3; asked++) await desk.ask()
  const nowhere = { transactionId: '00000000-0000-7000-8000-000000000000' }
  const broken = { index: null, amount: '1000000', isApproved: true, ...nowhere }
  // Whichever is looked at first, a broken one comes before the sound one.
  await leaveUnbooked(desk, [
    ['authorization-1', 'request', broken],
    ['authorization-2', 'capture', { amount: '12000000' }],
    ['authorization-3', 'request', broken],
  ])
  await waitUntil(async () => (await desk.budget())[1] === 78)
})

test('an issuer that never ends is heard a thousand times about one authorization', async () => {
  const desk = await openCardDesk()
  await desk.ask()
  await desk.app.rows(
    `insert into card_facts (organization_id, connection_id, authorization_id, kind, id, data)
     select $1, $2, 'authorization-1', 'release', 'release-' || n, '{"at": 1, "amount": "0"}'
     from generate_series(1, 999) n`,
    [desk.acme.organizationId, desk.connection.id],
  )
  await desk.tell('capture', { ...on, amount: 12, currency: 'USD' })
  expect(await desk.budget()).toEqual([30, 30, 70])
  const text = 'select is_full as "isFull" from card_authorizations where connection_id = $1'
  expect(await desk.app.rows(text, [desk.connection.id])).toEqual([{ isFull: true }])
  expect((await desk.ask({ ...on, type: 'incremental' })).body.code).toBe('authorization_full')
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idAt } from '../../../src/core/id.ts'
import { toIso } from '../../../src/core/time/instant.ts'
import type { DeliveryFilter } from '../../../src/storage/webhooks/delivery-queries.ts'
import { listDeliveries } from '../../../src/storage/webhooks/list-deliveries.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const BEGIN = Date.parse('2098-03-01T00:00:00Z')
const DAYS = 12
const PER_DAY = 4
const FURTHER = '0199e795-d25e-7564-8048-6daa6880d667'
const NO_FILTER: DeliveryFilter = {
  ...{ status: undefined, kind: undefined, from: undefined, to: undefined },
  ...{ eventIds: undefined, isTest: undefined, endpointId: undefined },
}
const PAGE = { limit: 50, offset: 0, after: undefined }
/** The events of two days were divided together, after a pause of all processes. */
const PAUSED_DAYS = [5, 6]

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  for (let day = 0; day < DAYS; day += 1) {
    for (let hour = 0; hour < 24; hour += 24 / PER_DAY) {
      const at = BEGIN + day * DAY_MS + hour * HOUR_MS
      const dividedAt = PAUSED_DAYS.includes(day) ? BEGIN + 7 * DAY_MS + hour * HOUR_MS : at + 50
      await addDelivery(idAt(at), at, null)
      await addDelivery(idAt(dividedAt + day), at, idAt(at))
    }
  }
})
afterAll(() => app.stop())

/** Without an event it is a delivery to the first endpoint, whose id is that of the event. */
async function addDelivery(id: string, at: number, eventId: string | null): Promise<void> {
  await app.rows(
    `insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, created_at,
                                     event_id, endpoint_id)
     values ($1, $2, 'transaction.approved', '{}', 'succeeded', 1, $3, $4, $5)`,
    [acme.organizationId, id, toIso(at), eventId, eventId && FURTHER],
  )
}

function list(filter: Partial<DeliveryFilter>, searchedMax?: number) {
  const { db } = app.database
  const all = { ...NO_FILTER, ...filter }
  return listDeliveries(db, acme.organizationId, all, PAGE, searchedMax)
}

const dayOf = (day: number) => ({
  from: BEGIN + day * DAY_MS,
  to: BEGIN + (day + 1) * DAY_MS,
})

describe('the deliveries of a day, to the first endpoint and to a further one', () => {
  test.each(Array.from({ length: DAYS }, (_, day) => day))('are all found: day %i', async (day) => {
    const both = await list(dayOf(day))
    expect(both).toMatchObject({ total: 2 * PER_DAY, totalIsExact: true })
    const further = await list({ ...dayOf(day), endpointId: FURTHER })
    expect(further.total).toBe(PER_DAY)
    const first = await list({ ...dayOf(day), endpointId: null })
    expect(first.total).toBe(PER_DAY)
  })

  test('are found without a look at all later days', async () => {
    // Three days of deliveries, and none of the nine days after them.
    const page = await list(dayOf(0), 3 * 2 * PER_DAY)
    expect(page).toMatchObject({ total: 2 * PER_DAY, totalIsExact: true })
  })
})

test('deliveries that wait are found by their event, without a look at later ones', async () => {
  const { organizationId } = await app.organization('Globex')
  const eventIds = Array.from({ length: 30 }, (_, place) => idAt(BEGIN + place))
  await app.rows(
    `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
     select $1, id, id, 1, false, now() from unnest($2::uuid[]) as id`,
    [organizationId, eventIds],
  )
  const further = idAt(BEGIN + DAY_MS)
  await app.rows(
    `insert into webhook_queue (organization_id, id, delivery_id, endpoint_id, event_id, number,
                                is_manual, due_at)
     values ($1, $2, $2, $3, $4, 1, false, now())`,
    [organizationId, further, FURTHER, eventIds[0]],
  )
  const filter = { ...NO_FILTER, eventIds: eventIds.slice(0, 1) }
  const page = await listDeliveries(app.database.db, organizationId, filter, PAGE, 5)
  expect(page).toMatchObject({ total: 2, totalIsExact: true })
})

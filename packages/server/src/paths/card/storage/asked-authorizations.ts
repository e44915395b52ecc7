import type { Micros } from '../../../core/money.ts'
import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { RowStatement } from '../../../storage/engine/row-statement.ts'
import { plainArray, texts } from '../../../storage/engine/wire-array.ts'
import { INSERT_AUTHORIZATIONS, type NewAuthorization, TAKEN_OVER } from './authorizations.ts'

/** The data of a request that is stored in addition to its fact. */
export interface AskedRow {
  readonly held: Micros
  readonly at: Instant
  /** Whether there is something to book in addition to the decision. */
  readonly isToBeBooked: boolean
  readonly lookAt: Instant | null
}

/**
 * Stores the authorization in the transaction of a decision. An authorization that exists already, or
 * occurs twice in a batch, must be booked again, because earlier events may include this request.
 */
export function storeAsked(authorization: NewAuthorization, asked: AskedRow): RowStatement {
  const { merchant, merchantFlags } = authorization
  return {
    name: 'store-card-authorizations',
    text: STORE_ASKED,
    alone: { name: 'store-card-authorization', text: STORE_ASKED_ALONE },
    columns: [
      { plain: authorization.id },
      { plain: authorization.connectionId },
      { anyText: authorization.externalId },
      { plain: authorization.cardId },
      { plain: authorization.agentId },
      { anyText: authorization.currency },
      { anyText: authorization.vendor },
      { anyText: authorization.category },
      { anyText: merchant === null ? null : JSON.stringify(merchant) },
      { anyText: plainArray(merchantFlags) },
      { plain: asked.held },
      { plain: String(!asked.isToBeBooked) },
      { plain: asked.lookAt === null ? null : toIso(asked.lookAt) },
      { plain: toIso(asked.at) },
    ],
  }
}

/** A request of an authorization that exists makes it unbooked. */
const ASKED_AGAIN = `
  on conflict (organization_id, connection_id, external_id) do update
  set is_booked = false, look_at = excluded.asked_at, asked_at = excluded.asked_at,
    currency = case when card_authorizations.asked_at is null
      then excluded.currency else card_authorizations.currency end, ${TAKEN_OVER}`

const STORE_ASKED_ALONE = `
  ${INSERT_AUTHORIZATIONS}
  values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::uuid, $6::uuid, $7::text, $8::text, $9::text,
          $10::jsonb, $11::text[], $12::bigint, 0, 0, '{}', false, $13::boolean, $14::timestamptz,
          $15::timestamptz, $15::timestamptz) ${ASKED_AGAIN}`

const STORE_ASKED = `
  with asked as (
    select * from unnest(
      $2::uuid[], $3::uuid[], ${texts('$4')}, $5::uuid[], $6::uuid[], ${texts('$7')}, ${texts('$8')},
      ${texts('$9')}, ${texts('$10')}, ${texts('$11')}, $12::bigint[], $13::boolean[],
      $14::timestamptz[], $15::timestamptz[]
    ) as a (id, connection_id, external_id, card_id, agent_id, currency, vendor, category, merchant,
            merchant_flags, held, is_booked, look_at, asked_at)
  )
  ${INSERT_AUTHORIZATIONS}
  select distinct on (connection_id, external_id) $1::uuid, id, connection_id, external_id, card_id,
         agent_id, currency, vendor, category, merchant::jsonb, merchant_flags::text[], held, 0, 0, '{}',
         false, is_booked and count(*) over same = 1,
         case when count(*) over same = 1 then look_at else asked_at end, asked_at, asked_at
  from asked window same as (partition by connection_id, external_id)
  order by connection_id, external_id, id ${ASKED_AGAIN}`

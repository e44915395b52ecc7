import { keysOfMerchant } from '../../../core/card-alias.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import { plainArray, textArray, texts } from '../../../storage/engine/wire-array.ts'
import type { CardRequest, CardState } from '../issuers/issuer.ts'
import type { Fact } from '../ledger/facts.ts'
import type { CardInUse } from '../registry/card.ts'
import { NEWEST_FIRST } from './cards.ts'
import { FACTS_MAX, type StoredFact, toFact } from './facts.ts'
import {
  type KnownMerchant,
  surestOf,
  type VendorOfKey,
  vendorsOfKeys,
} from './vendor-of-merchant.ts'

/** The fields of a request's card that judging needs. */
export type AskedCard = Pick<
  CardInUse,
  'id' | 'agentId' | 'status' | 'providerStatus' | 'agentStatus' | 'isFrozen'
>

/** The data that judging a request needs. */
export interface AskedContext {
  /** Undefined if the connection has no such card. */
  readonly card: AskedCard | undefined
  readonly vendor: KnownMerchant | undefined
  /** The facts of the authorization. */
  readonly facts: readonly Fact[]
  /** Whether the authorization has reached its limit of facts and takes no more. */
  readonly isFull: boolean
}

interface Row extends Omit<AskedCard, 'id'> {
  readonly id: string | null
  /** The first row has the vendors of all requests: most requests are about few merchants. */
  readonly vendors: readonly VendorOfKey[] | null
  readonly facts: readonly StoredFact[] | null
}

/** A request with its connection. */
export interface AskedBy {
  readonly connectionId: string
  readonly request: CardRequest
}

/**
 * Reads all contexts in one statement, because issuers wait for it. Returns one per request, in order.
 */
export async function readAskedContexts(
  db: Queryable,
  organizationId: string,
  asked: readonly AskedBy[],
): Promise<AskedContext[]> {
  const [first] = asked
  if (first && asked.length === 1) return [await readAskedContext(db, organizationId, first)]
  const requests = asked.map(({ request }) => request)
  const keys = requests.map(({ merchant }) => keysOfMerchant(merchant))
  const rows = await db.query<Row>({
    name: 'read-card-request-contexts',
    text: READ_CONTEXTS,
    values: [
      organizationId,
      plainArray(asked.map(({ connectionId }) => connectionId)),
      textArray(requests.map(({ card }) => card.externalId)),
      textArray(requests.map(({ authorizationId }) => authorizationId)),
      textArray([...new Set(keys.flat())]),
    ],
  })
  const vendors = rows[0]?.vendors ?? []
  return requests.map(({ card }, at) => ({
    ...toContext(rows[at], card.state),
    vendor: surestOf(keys[at] ?? [], vendors),
  }))
}

/** The same for one request, with plain values (ADR 58). */
async function readAskedContext(
  db: Queryable,
  organizationId: string,
  { connectionId, request }: AskedBy,
): Promise<AskedContext> {
  const { card, authorizationId, merchant } = request
  const keys = keysOfMerchant(merchant)
  const [row] = await db.query<Row>({
    name: 'read-card-request-context',
    text: READ_CONTEXT,
    values: [organizationId, connectionId, card.externalId, authorizationId, textArray(keys)],
  })
  return { ...toContext(row, card.state), vendor: surestOf(keys, row?.vendors ?? []) }
}

/** The places of a request's names in a statement. */
interface Names {
  readonly connection: string
  readonly card: string
  readonly authorization: string
}

const columnsOf = ({ connection, authorization }: Names, vendors: string) => `
  c.id, coalesce(begun.agent_id, c.agent_id) as "agentId", c.status,
  c.provider_status as "providerStatus", o.frozen as "isFrozen",
  case when a.deleted_at is null then a.status else 'deleted' end as "agentStatus",
  ${vendors} as vendors,
  (select jsonb_agg(jsonb_build_object('kind', f.kind, 'id', f.id, 'data', f.data))
    from (select kind, id, data from card_facts
          where organization_id = $1 and connection_id = ${connection}
            and authorization_id = ${authorization}
          limit ${FACTS_MAX}) f) as facts`

/**
 * An authorization stays with its first agent, even if the card belongs to a different one by now. The
 * statement looks rows up one by one: with a list, the planner reads all of a small table.
 */
const joinsOf = ({ connection, card, authorization }: Names) => `
  left join lateral (
    select x.id, x.agent_id, x.status, x.provider_status from cards x
    where x.organization_id = $1 and x.connection_id = ${connection}
      and x.external_id = ${card} ${NEWEST_FIRST}) c on true
  left join lateral (
    select agent_id from card_authorizations
    where organization_id = $1 and connection_id = ${connection}
      and external_id = ${authorization} limit 1) begun on true
  left join lateral (
    select status, deleted_at from agents
    where organization_id = $1 and id = coalesce(begun.agent_id, c.agent_id) limit 1) a on true`

const EACH: Names = {
  connection: 'asked.connection_id',
  card: 'asked.card',
  authorization: 'asked.authorization_id',
}

const READ_CONTEXTS = `
  select ${columnsOf(EACH, `case when asked.place = 1 then ${vendorsOfKeys(texts('$5'))} end`)}
  from unnest($2::uuid[], ${texts('$3')}, ${texts('$4')})
    with ordinality as asked (connection_id, card, authorization_id, place)
  join organizations o on o.id = $1
  ${joinsOf(EACH)}
  order by asked.place`

const ONE: Names = { connection: '$2::uuid', card: '$3::text', authorization: '$4::text' }

const READ_CONTEXT = `
  select ${columnsOf(ONE, vendorsOfKeys(texts('$5')))}
  from organizations o
  ${joinsOf(ONE)}
  where o.id = $1`

function toContext(row: Row | undefined, state: CardState | null): Omit<AskedContext, 'vendor'> {
  const facts = (row?.facts ?? []).map(toFact)
  return {
    card: row && row.id !== null ? toAskedCard(row, row.id, state) : undefined,
    facts,
    isFull: facts.length >= FACTS_MAX,
  }
}

/** The card state in the request is newer than the state in earlier events. */
function toAskedCard(row: Row, id: string, state: CardState | null): AskedCard {
  return {
    id,
    agentId: row.agentId,
    status: row.status,
    providerStatus: state ?? row.providerStatus,
    agentStatus: row.agentStatus,
    isFrozen: row.isFrozen,
  }
}

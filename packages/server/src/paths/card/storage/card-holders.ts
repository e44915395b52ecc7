import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Statement } from '../../../storage/engine/database.ts'
import type { Card } from '../registry/card.ts'

/** The agent that had a card at a given time. */
export interface CardHolder {
  readonly cardId: string
  readonly agentId: string
}

/** Stores that the card's agent has it from this instant. The caller holds the lock of the card. */
export function storeHolder(
  organizationId: string,
  { id, connectionId, externalId, agentId }: Card,
  since: Instant,
): Statement {
  return {
    text: `
      insert into card_holders (organization_id, connection_id, external_id, since, card_id, agent_id)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (organization_id, connection_id, external_id, since)
      do update set card_id = excluded.card_id, agent_id = excluded.agent_id`,
    values: [organizationId, connectionId, externalId, toIso(since), id, agentId],
  }
}

/**
 * Finds the agent that had the card at this time. For times before its registration, it is the first
 * agent: a card is often used before it is registered. Undefined if the card was never registered.
 */
export async function findHolder(
  db: Queryable,
  organizationId: string,
  { connectionId, externalId }: Pick<Card, 'connectionId' | 'externalId'>,
  at: Instant,
): Promise<CardHolder | undefined> {
  const [holder] = await db.query<CardHolder>({
    name: 'find-card-holder',
    text: `
      select card_id as "cardId", agent_id as "agentId" from card_holders
      where organization_id = $1 and connection_id = $2 and external_id = $3
      order by (since <= $4) desc, case when since <= $4 then since end desc, since
      limit 1`,
    values: [organizationId, connectionId, externalId, toIso(at)],
  })
  return holder
}

/** The currency that an agent spends: that of its active mandate, else of its last one. */
export async function findCurrencyOf(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ currency: string }>({
    name: 'find-currency-of-agent',
    text: `
      select v.currency from mandates m
      join mandate_versions v on v.organization_id = $1 and v.mandate_id = m.id and v.version = m.version
      where m.organization_id = $1 and m.agent_id = $2 and m.activated_at is not null
      order by (m.status = 'active') desc, m.activated_at desc limit 1`,
    values: [organizationId, agentId],
  })
  return row?.currency
}

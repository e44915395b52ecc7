import type { Queryable, Statement, Tx } from '../../../storage/engine/database.ts'
import type { RowStatement } from '../../../storage/engine/row-statement.ts'
import { textArray, texts } from '../../../storage/engine/wire-array.ts'
import type { CaptureFact, Fact, RequestFact } from '../ledger/facts.ts'

/** An authorization as its issuer names it. */
export interface AuthorizationName {
  readonly connectionId: string
  readonly externalId: string
}

/**
 * Bounds the facts that are read for one authorization. Even a hotel's has a few dozen; an issuer that
 * sends more is broken.
 */
export const FACTS_MAX = 1_000

const INSERT =
  'insert into card_facts (organization_id, connection_id, authorization_id, kind, id, data)'

const UNLESS_UNJUDGED = `
  on conflict (organization_id, connection_id, authorization_id, kind, id)
  do update set data = excluded.data
  where not coalesce((card_facts.data ->> 'isUnjudged')::boolean, false)`

/**
 * Stores the fact of a request in the transaction of its decision. If an approval is taken back because
 * it came too late, a decline overwrites the fact. The fact of an unjudged approval stays.
 */
export function storeRequestFact(
  { connectionId, externalId }: AuthorizationName,
  fact: RequestFact,
): RowStatement {
  return {
    name: 'store-card-requests',
    text: `
      ${INSERT}
      select $1::uuid, asked.connection_id, asked.authorization_id, 'request', asked.id, asked.data::jsonb
      from unnest($2::uuid[], ${texts('$3')}, ${texts('$4')}, ${texts('$5')})
        as asked (connection_id, authorization_id, id, data) ${UNLESS_UNJUDGED}`,
    alone: {
      name: 'store-card-request',
      text: `
        ${INSERT}
        values ($1::uuid, $2::uuid, $3::text, 'request', $4::text, $5::jsonb) ${UNLESS_UNJUDGED}`,
    },
    columns: [
      { plain: connectionId },
      { anyText: externalId },
      { anyText: fact.id },
      { anyText: toData(fact) },
    ],
  }
}

/** Stores the capture of a request that is authorization and capture in one, with its approval. */
export function storeCaptureOf(
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
  fact: CaptureFact,
): Statement {
  return {
    name: 'store-card-capture',
    text: `
      ${INSERT}
      values ($1, $2, $3, 'capture', $4, $5)
      on conflict do nothing`,
    values: [organizationId, connectionId, externalId, fact.id, toData(fact)],
  }
}

/** Removes the capture of a request whose approval was taken back: it was never captured. */
export function removeCaptureOf(
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
  id: string,
): Statement {
  return {
    name: 'remove-card-capture',
    text: `delete from card_facts
           where organization_id = $1 and connection_id = $2 and authorization_id = $3
             and kind = 'capture' and id = $4`,
    values: [organizationId, connectionId, externalId, id],
  }
}

/**
 * Adds the new facts, each once, and returns their number. An index makes money count once in the whole
 * connection: issuers may report it with its authorization and without it, even at the same time. All
 * processes insert in the same order, so that two with the same facts wait for each other without a
 * deadlock.
 */
export async function storeFacts(
  tx: Tx,
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
  facts: readonly Fact[],
): Promise<number> {
  const rows = await tx.query({
    name: 'store-card-facts',
    text: `
      ${INSERT}
      select $1::uuid, $2::uuid, $3::text, told.kind, told.id, told.data::jsonb
      from unnest(${texts('$4')}, ${texts('$5')}, ${texts('$6')}) as told (kind, id, data)
      order by told.kind, told.id
      on conflict do nothing
      returning 1`,
    values: [
      organizationId,
      connectionId,
      externalId,
      textArray(facts.map(({ kind }) => kind)),
      textArray(facts.map(({ id }) => id)),
      textArray(facts.map(toData)),
    ],
  })
  return rows.length
}

export async function countFacts(
  db: Queryable,
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-card-facts',
    text: `select count(*) as count from card_facts
           where organization_id = $1 and connection_id = $2 and authorization_id = $3`,
    values: [organizationId, connectionId, externalId],
  })
  return Number(row?.count ?? 0n)
}

/**
 * Serializes all events about a capture, including those that only name it. Otherwise each could miss a
 * fact that the other is about to store.
 */
export async function lockMoney(
  tx: Tx,
  connectionId: string,
  captureIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'lock-card-money',
    text: `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || told.id, 0))
           from (select id from unnest(${texts('$2')}) as id order by id) told`,
    values: [connectionId, textArray(captureIds)],
  })
}

/**
 * Moves facts that were stored under a capture's name to the authorization of that capture, and returns
 * their number. A dispute names only a capture, and may arrive before it.
 */
export async function adoptFacts(
  tx: Tx,
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
  captureIds: readonly string[],
): Promise<number> {
  const rows = await tx.query({
    name: 'adopt-card-facts',
    text: `update card_facts set authorization_id = $3
           where organization_id = $1 and connection_id = $2 and authorization_id <> $3
             and authorization_id = any(${texts('$4')}) and kind = 'refund'
           returning 1`,
    values: [organizationId, connectionId, externalId, textArray(captureIds)],
  })
  return rows.length
}

/**
 * Sets money apart that was stored before the currency of the authorization was known, so that its
 * issuer can report the converted amount. Returns the number of facts that it set apart.
 */
export async function setApart(
  tx: Tx,
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
  currency: string,
): Promise<number> {
  const rows = await tx.query({
    name: 'set-card-facts-apart',
    text: `update card_facts
           set kind = 'foreign', id = kind || ' ' || id,
               data = data || jsonb_object(array['of', kind, 'moneyId', id])
           where organization_id = $1 and connection_id = $2 and authorization_id = $3
             and kind in ('capture', 'refund', 'release') and data ->> 'currency' <> $4
           returning 1`,
    values: [organizationId, connectionId, externalId, currency],
  })
  return rows.length
}

/** All facts of an authorization, in no order. */
export async function listFacts(
  db: Queryable,
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
): Promise<Fact[]> {
  const rows = await db.query<StoredFact>({
    name: 'list-card-facts',
    text: `select kind, id, data from card_facts
           where organization_id = $1 and connection_id = $2 and authorization_id = $3`,
    values: [organizationId, connectionId, externalId],
  })
  return rows.map(toFact)
}

/** Finds the authorization of a capture or refund, by the issuer's names of both. */
export async function findAuthorizationOf(
  db: Queryable,
  organizationId: string,
  connectionId: string,
  factId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ authorizationId: string }>({
    name: 'find-authorization-of-card-money',
    text: `select authorization_id as "authorizationId" from card_facts
           where organization_id = $1 and connection_id = $2 and id = $3
             and kind in ('capture', 'refund')
           order by kind, authorization_id limit 1`,
    values: [organizationId, connectionId, factId],
  })
  return row?.authorizationId
}

/** A fact as it is stored, in a row or within JSON. */
export interface StoredFact {
  readonly kind: Fact['kind']
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** JSON has no bigint, so the amount is a string. */
function toData({ kind: _kind, id: _id, ...fact }: Fact): string {
  const { amount } = fact
  return JSON.stringify({ ...fact, amount: amount === null ? null : String(amount) })
}

/** Reads only data written by toData, so the shape is known. */
export function toFact({ kind, id, data }: StoredFact): Fact {
  const { amount } = data
  return { kind, id, ...data, amount: amount === null ? null : BigInt(String(amount)) } as Fact
}

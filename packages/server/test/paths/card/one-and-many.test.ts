import { beforeAll, expect, test } from 'vitest'
import type { CardRequest } from '../../../src/paths/card/issuers/issuer.ts'
import { storeAsked } from '../../../src/paths/card/storage/asked-authorizations.ts'
import { readAskedContexts } from '../../../src/paths/card/storage/asked-context.ts'
import type { NewAuthorization } from '../../../src/paths/card/storage/authorizations.ts'
import { storeRequestFact } from '../../../src/paths/card/storage/facts.ts'
import { joinRows, type RowStatement } from '../../../src/storage/engine/row-statement.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { shareApp } from '../../support/share-app.ts'
import { type CardDesk, openCardDesk } from './desk.ts'

/** Far ahead, so that the worker finds no authorization that is due, and changes none. */
const AT = Date.UTC(2099, 10, 18, 12, 0, 0, 123)
const MERCHANT = {
  name: 'Ä, "B" {c}\nd',
  id: '1',
  network: 'visa',
  mcc: '5734',
  country: 'US',
  url: null,
}

/** The statements for one request leave and find the same rows as those for many (ADR 58). */
const sharedApp = shareApp()
let desk: CardDesk
beforeAll(async () => {
  desk = await openCardDesk({ app: await sharedApp() })
})

const named = (externalId: string, change: Partial<NewAuthorization> = {}): NewAuthorization => ({
  id: newId(AT),
  connectionId: desk.connection.id,
  externalId,
  cardId: desk.card.id,
  agentId: desk.card.agentId,
  currency: 'USD',
  vendor: 'a.example.com',
  category: null,
  merchant: MERCHANT,
  merchantFlags: ['merchant_drift'],
  ...change,
})

const ROW = { held: 5n, at: AT, isToBeBooked: false, lookAt: AT + 1_000 }

const factOf = (id: string, amount: bigint) =>
  ({
    kind: 'request',
    id,
    at: AT,
    index: 1,
    amount,
    isApproved: true,
    transactionId: newId(AT),
  }) as const

/** Sends rows of the same form together, as a batch does. */
async function store(...rows: readonly RowStatement[]): Promise<void> {
  const statements = joinRows(desk.acme.organizationId, rows)
  await desk.app.database.db.transaction(async (tx) => {
    for (const statement of statements) tx.send(statement)
  })
}

const authorizationsOf = (names: readonly string[]) =>
  desk.app.rows(
    `select to_jsonb(a) - 'id' - 'external_id' as row from card_authorizations a
     where external_id = any($1) order by external_id`,
    [names],
  )

test('the authorization of a first and of a second request', async () => {
  const second = { vendor: 'b.example.com', merchantFlags: [], currency: 'EUR' }
  const later = { ...ROW, at: AT + 5_000, held: 9n }
  for (const name of ['alone-1', 'alone-2']) {
    await store(storeAsked(named(name), ROW))
    await store(storeAsked(named(name, second), later))
  }
  await store(storeAsked(named('many-1'), ROW), storeAsked(named('many-2'), ROW))
  await store(
    storeAsked(named('many-1', second), later),
    storeAsked(named('many-2', second), later),
  )
  const alone = await authorizationsOf(['alone-1', 'alone-2'])
  expect(alone).toHaveLength(2)
  expect(await authorizationsOf(['many-1', 'many-2'])).toEqual(alone)
})

test('the facts of requests, where an approval without judgement stays', async () => {
  const facts = (name: string) =>
    desk.app.rows(
      `select kind, id, data - 'transactionId' as data from card_facts
       where authorization_id = $1 order by id`,
      [name],
    )
  for (const name of ['facts-alone', 'facts-many']) {
    const of = named(name)
    const first = [
      storeRequestFact(of, factOf('a', 1n)),
      storeRequestFact(of, factOf('"b",\n', 2n)),
    ]
    const unjudged = storeRequestFact(of, { ...factOf('c', 3n), isUnjudged: true })
    const again = [
      storeRequestFact(of, { ...factOf('a', 1n), isApproved: false }),
      storeRequestFact(of, { ...factOf('c', 3n), isApproved: false }),
    ]
    if (name === 'facts-many') {
      await store(...first, unjudged)
      await store(...again)
    } else for (const one of [...first, unjudged, ...again]) await store(one)
  }
  const alone = await facts('facts-alone')
  expect(alone).toHaveLength(3)
  expect(await facts('facts-many')).toEqual(alone)
})

test('the context of a request', async () => {
  await desk.acme.post('/vendors', {
    host: 'c.example.com',
    cardAliases: [{ merchantId: MERCHANT.id }],
  })
  const asked = (externalId: string, authorizationId: string) => ({
    connectionId: desk.connection.id,
    request: {
      card: { externalId, state: null },
      authorizationId,
      merchant: MERCHANT,
    } as CardRequest,
  })
  const requests = [
    asked(desk.card.externalId, 'alone-1'),
    asked(desk.card.externalId, 'facts-alone'),
    asked('no such card', 'none'),
  ]
  const { db } = desk.app.database
  const many = await readAskedContexts(db, desk.acme.organizationId, requests)
  expect(many.map(({ card, facts, vendor }) => [card?.id, facts.length, vendor?.host])).toEqual([
    [desk.card.id, 0, 'c.example.com'],
    [desk.card.id, 3, 'c.example.com'],
    [undefined, 0, 'c.example.com'],
  ])
  for (const [at, request] of requests.entries()) {
    expect(await readAskedContexts(db, desk.acme.organizationId, [request])).toEqual([many[at]])
  }
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { bookEnds } from '../../../src/paths/x402/chain/settlement.ts'
import type { PaymentEnd } from '../../../src/paths/x402/storage/payments.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate, DAY_MS } from '../../support/builders.ts'
import { copyRows } from '../../support/copy-rows.ts'
import { usualEngine } from '../../support/database.ts'
import { createPathGateway } from '../../support/path-gateway.ts'
import { seed } from '../../support/seed.ts'
import { silentLog } from '../../support/silent-log.ts'
import { budgetOf } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { aWallet, type Paid, pay, readRecord, WITHOUT_NODE } from './payments.ts'

const HASH = `0x${'ab'.repeat(32)}`
const SETTLED: PaymentEnd = { state: 'settled', proof: 'chain', chainTransaction: HASH }
const DEAD: PaymentEnd = { state: 'released', proof: 'chain', chainTransaction: null }

describe('the ends of payments', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
  })
  beforeEach(async () => {
    acme = await app.organization()
    await aWallet(acme)
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const idOf = ({ transactionId }: Paid) => toUuid('txn', transactionId) ?? ''

  /** Books as the reconciler does, with a gateway of its own. */
  async function book(ends: readonly (readonly [Paid, PaymentEnd])[]) {
    const { db } = app.database
    const gateway = createPathGateway(app)
    const chains = { networks: [], isEnabled: () => false, chain: () => undefined }
    const { estimate: now, read: clock } = app.time
    const found = new Map(ends.map(([paid, end]) => [idOf(paid), end]))
    const parts = { db, gateway, chains, now, clock, log: silentLog }
    try {
      return await bookEnds(parts, acme.organizationId, found)
    } finally {
      await gateway.stop()
    }
  }

  test('of one organization are booked in one transaction, each as it is', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const paid = [await pay(acme, agentId), await pay(acme, agentId), await pay(acme, agentId)]
    const [first, second, third] = paid as [Paid, Paid, Paid]
    await book([
      [first, SETTLED],
      [second, DEAD],
      [third, SETTLED],
    ])
    const records = await Promise.all(paid.map((one) => readRecord(acme, one.transactionId)))
    expect(records.map(({ status }) => status)).toEqual(['settled', 'voided', 'settled'])
    expect(records.map(({ external }) => external?.['transaction'])).toEqual([HASH, null, HASH])
    expect(await budgetOf(acme, id)).toEqual([0.02, 0, 0.98])
    const writers = await app.rows(
      'select distinct xmin::text from x402_payments where id = any($1::uuid[])',
      [paid.map(idOf)],
    )
    expect(writers).toHaveLength(1)
  })

  test('are booked once, also when two find out at the same time', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const [first, second] = [await pay(acme, agentId), await pay(acme, agentId)]
    await Promise.all([
      book([
        [first, SETTLED],
        [second, DEAD],
      ]),
      book([
        [second, DEAD],
        [first, SETTLED],
      ]),
    ])
    expect(await budgetOf(acme, id)).toEqual([0.01, 0, 0.99])
    expect((await book([[first, DEAD]])).map(({ state }) => state)).toEqual(['settled'])
  })

  test('are booked although those of another organization can never be claimed', async () => {
    const broken = await app.organization('Broken')
    await aWallet(broken)
    const theirs = await pay(broken, (await anActiveMandate(broken)).agentId)
    // More than one round looks at, and longer due than all others.
    const copies = Array.from({ length: 60 }, () => newId(Date.now()))
    await seed(
      app,
      copyRows(
        'x402_payments',
        `jsonb_build_object('id', id_of_copy, 'check_at', '-infinity')`,
        'unnest($2::uuid[]) as id_of_copy',
        'r.id = $1',
      ),
      [idOf(theirs), copies],
    )
    await app.rows(
      `create function refuse_claims() returns trigger language plpgsql as $$ begin
         if new.organization_id = '${broken.organizationId}' then raise exception 'no'; end if;
         return new;
       end $$`,
    )
    await app.rows(
      `create trigger refuse_claims before update on x402_payments
       for each row execute function refuse_claims()`,
    )
    const paid = await pay(acme, (await anActiveMandate(acme)).agentId)
    app.clock.now = Date.parse(paid.payment?.validBefore ?? '') + DAY_MS
    await waitUntil(async () => (await readRecord(acme, paid.transactionId)).status === 'settled')
    expect((await readRecord(broken, theirs.transactionId)).status).toBe('held')
    await app.rows('drop trigger refuse_claims on x402_payments')
    await app.rows('delete from x402_payments where id = any($1::uuid[])', [copies])
  })

  test('are booked although the next turn of a payment that stays open cannot be stored', async () => {
    const broken = await app.organization('Broken')
    await aWallet(broken)
    const open = await pay(broken, (await anActiveMandate(broken)).agentId)
    const paid = await pay(acme, (await anActiveMandate(acme)).agentId)
    const end = Date.parse(paid.payment?.validBefore ?? '')
    // Claimed with the other, before it, and still open then.
    const later = [idOf(open), (end + 10 * DAY_MS) / 1_000]
    await app.rows(
      `update x402_payments set valid_before = $2, check_at = '-infinity' where id = $1`,
      later,
    )
    await app.rows(
      `create function refuse_turns() returns trigger language plpgsql as $$ begin
         if new.organization_id = '${broken.organizationId}' and new.checks = old.checks then
           raise exception 'no';
         end if;
         return new;
       end $$`,
    )
    await app.rows(
      `create trigger refuse_turns before update on x402_payments
       for each row execute function refuse_turns()`,
    )
    app.clock.now = end + DAY_MS
    await waitUntil(async () => (await readRecord(acme, paid.transactionId)).status === 'settled')
    expect((await readRecord(broken, open.transactionId)).status).toBe('held')
    await app.rows('drop trigger refuse_turns on x402_payments')
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { budgetOf, change } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { aWallet, type Paid, pay, readRecord, refusalOf, WITHOUT_NODE } from './payments.ts'

const MINUTE_MS = 60_000
/** How long after its end a payment waits for a proof that nobody can give. */
const WAITED_FOR_MS = 15 * MINUTE_MS

describe('where no chain can be asked', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
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

  const endOf = ({ payment }: Paid) => Date.parse(payment?.validBefore ?? '')
  const idOf = ({ transactionId }: Paid) => toUuid('txn', transactionId)

  async function becomes(paid: Paid, status: string): Promise<void> {
    await waitUntil(async () => (await readRecord(acme, paid.transactionId)).status === status)
  }

  /** Waits until the payment was looked at, by the clock as it is turned now. */
  async function afterALook(paid: Paid, now: number): Promise<void> {
    app.clock.now = now
    await app.rows('update x402_payments set check_at = created_at where id = $1', [idOf(paid)])
    await waitUntil(async () => {
      const [row] = await app.rows<{ at: number }>(
        'select check_at as at from x402_payments where id = $1',
        [idOf(paid)],
      )
      // While it is looked at its next turn is half a minute away; afterwards it is sooner.
      const ahead = (row?.at ?? 0) - now
      return ahead > 0 && ahead < 30_000
    })
  }

  /** As if the process had died between the decision and the signature. */
  async function forgetSignature(paid: Paid): Promise<void> {
    const text = 'update x402_payments set handed_out_at = null, signature = null where id = $1'
    await app.rows(text, [idOf(paid)])
  }

  test('a signed payment stays held until long after its end', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const paid = await pay(acme, agentId)
    for (const at of [endOf(paid) + MINUTE_MS, endOf(paid) + WAITED_FOR_MS - 1]) {
      await afterALook(paid, at)
      expect((await readRecord(acme, paid.transactionId)).status).toBe('held')
    }
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('a signed payment is taken for spent in the end', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const paid = await pay(acme, agentId)
    app.clock.now = endOf(paid) + WAITED_FOR_MS
    await becomes(paid, 'settled')
    expect(await readRecord(acme, paid.transactionId)).toMatchObject({
      settledAmount: 0.01,
      heldAmount: 0,
      external: { settlement: 'assumed', transaction: null, nonce: paid.payment?.nonce },
    })
    expect(await budgetOf(acme, id)).toEqual([0.01, 0, 0.99])
  })

  test('a payment that was signed while there was a node waits for it', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const paid = await pay(acme, agentId)
    await app.rows('update x402_payments set from_block = 7 where id = $1', [idOf(paid)])
    await afterALook(paid, endOf(paid) + 2 * WAITED_FOR_MS)
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('a payment that is taken for spent can be refunded by whoever knows better', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const paid = await pay(acme, agentId)
    app.clock.now = endOf(paid) + WAITED_FOR_MS
    await becomes(paid, 'settled')
    await change(acme, paid.transactionId, 'refund')
    expect(await budgetOf(acme, id)).toEqual([0, 0, 1])
  })

  test('a payment that is taken for spent is told so under its Idempotency-Key', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = { 'idempotency-key': `assumed` }
    const paid = await pay(acme, agentId, {}, headers)
    app.clock.now = endOf(paid) + WAITED_FOR_MS
    await becomes(paid, 'settled')
    const again = await pay(acme, agentId, {}, headers)
    expect(again.payment).toEqual(paid.payment)
    expect(again).toMatchObject({
      hold: { state: 'settled' },
      settlement: { state: 'settled', source: 'assumed', verified: false, settledAmount: 0.01 },
    })
  })

  test('a payment of which no signature left the house is given back instead', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const headers = { 'idempotency-key': `forgotten` }
    const paid = await pay(acme, agentId, {}, headers)
    await forgetSignature(paid)
    app.clock.now = endOf(paid) + WAITED_FOR_MS
    await becomes(paid, 'voided')
    expect(await readRecord(acme, paid.transactionId)).toMatchObject({
      heldAmount: 0,
      settledAmount: 0,
      external: { settlement: 'unsigned' },
    })
    expect(await budgetOf(acme, id)).toEqual([0, 0, 1])
    // From here on nobody may be given the signature: nothing would be held for it.
    expect(await refusalOf(acme, agentId, {}, headers)).toEqual([503, 'signer_unavailable'])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 1])
  })

  test('the signature of a payment can still be asked for until it was given back', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = { 'idempotency-key': `late` }
    const paid = await pay(acme, agentId, {}, headers)
    await forgetSignature(paid)
    const again = await pay(acme, agentId, {}, headers)
    expect(again.payment).toEqual(paid.payment)
    app.clock.now = endOf(paid) + WAITED_FOR_MS
    await becomes(paid, 'settled')
  })
})

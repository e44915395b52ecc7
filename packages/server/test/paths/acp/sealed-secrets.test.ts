import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { storeInstruments } from '../../../src/paths/acp/registry/change-instruments.ts'
import { changeMerchant } from '../../../src/paths/acp/registry/change-merchant.ts'
import { findUsedInstrument } from '../../../src/paths/acp/storage/instruments.ts'
import { findMerchant } from '../../../src/paths/acp/storage/merchants.ts'
import { readConfig } from '../../../src/process/config.ts'
import { sealedValues } from '../../../src/process/sealed-values.ts'
import { createOrganization } from '../../../src/process/setup.ts'
import { insertDirectoryEntry } from '../../../src/storage/directory-entries.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { resealAll } from '../../../src/storage/secrets/reseal.ts'
import { createSealer, type Sealer } from '../../../src/storage/secrets/sealed.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const NOW = Date.UTC(2026, 0, 1)
const clock = async () => NOW

const CARD = { id: 'card', label: 'Card', issuer: 'stripe', paymentMethod: 'pm_1' } as const
const OTHER = { ...CARD, id: 'other' }
const SHOP = {
  ...{ id: newId(NOW), host: 'a.example', name: null, category: null, payees: [] },
  ...{ cardAliases: [], acp: null, createdAt: NOW, updatedAt: NOW, updatedBy: null },
}
const CALLED = { apiBaseUrl: 'https://a.example', version: '2026-04-17' } as const
const ACP = {
  ...{ ...CALLED, merchantIds: ['m'] },
  ...{ credential: 'shop-credential', webhookSecret: 'whsec_of_the_shop' },
}

describe('the sealed secrets of ACP', () => {
  let database: TestDatabase
  let organizationId: string
  beforeEach(async () => {
    database = await createTestDatabase()
    const storage = { db: database.db, sealer: createSealer(OLD) }
    const made = await createOrganization(storage, { environment: 'development' }, 'One')
    organizationId = toUuid('org', made.organizationId) ?? ''
  })
  afterEach(() => database.drop())

  /** Two ways to pay, a shop that speaks ACP and one that does not. */
  const enter = (sealer: Sealer) =>
    database.db.transaction(async (tx) => {
      const cards = [CARD, OTHER].map((card) => ({ ...card, credential: `sk_test_${card.id}` }))
      await storeInstruments(tx, sealer, organizationId, cards)
      await insertDirectoryEntry(tx, organizationId, SHOP)
      const plain = { ...SHOP, id: newId(NOW), host: 'b.example' }
      await insertDirectoryEntry(tx, organizationId, plain)
      return changeMerchant(tx, { sealer, clock }, organizationId, SHOP, ACP)
    })

  /** What is read by a gateway that knows only the new key. */
  const read = async () => {
    const parts = { db: database.db, sealer: createSealer(NEW) }
    const merchant = await findMerchant(parts, organizationId, SHOP.host)
    const cards = [CARD, OTHER].map(({ id }) => findUsedInstrument(parts, organizationId, id))
    return [
      ...(await Promise.all(cards)).map((card) => card?.credential),
      merchant?.credential,
      merchant?.webhookSecret,
    ]
  }
  const SECRETS = ['sk_test_card', 'sk_test_other', 'shop-credential', 'whsec_of_the_shop']

  test('are all reached by another master key', async () => {
    await enter(createSealer(OLD))
    const sealer = createSealer(NEW, [OLD])
    const outcome = await resealAll({
      db: database.db,
      sealer,
      kinds: sealedValues(readConfig({})),
    })
    // The fifth is that of the organization's webhooks.
    expect(outcome).toEqual({ count: 5, unreadable: 0 })
    expect(await read()).toEqual(SECRETS)
  })

  test('are sealed under the key of whoever changes something else and keeps them', async () => {
    const { acp } = await enter(createSealer(OLD))
    const sealer = createSealer(NEW, [OLD])
    await database.db.transaction(async (tx) => {
      await storeInstruments(tx, sealer, organizationId, [CARD, OTHER])
      const shop = { ...SHOP, acp }
      await changeMerchant(tx, { sealer, clock }, organizationId, shop, { profileId: 'p' })
    })
    expect(await read()).toEqual(SECRETS)
  })
})

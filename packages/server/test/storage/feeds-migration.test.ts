import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'

describe('feeds, where organizations were there before them', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  /** Puts the tables back to what they were, and migrates them again. */
  async function migrateAgain(without: Owner): Promise<void> {
    const name = readdirSync(MIGRATIONS_FOLDER).find((file) => file.endsWith('-from-the-start.sql'))
    for (const table of ['event_feeds', 'changes']) {
      await app.rows(`delete from ${table} where organization_id = $1`, [without.organizationId])
    }
    await app.rows(`alter table api_keys add constraint api_keys_organization_id_fkey
                    foreign key (organization_id) references organizations (id)`)
    await app.rows(readFileSync(join(MIGRATIONS_FOLDER, name ?? ''), 'utf8'))
  }

  async function lastNumberOf({ organizationId }: Owner): Promise<bigint | undefined> {
    const [row] = await app.rows<{ last: bigint }>(
      'select last_number as last from event_feeds where organization_id = $1',
      [organizationId],
    )
    return row?.last
  }

  test('begin with the first event, or go on after the last', async () => {
    const [quiet, busy] = [await app.organization(), await app.organization()]
    const { agentId } = await anActiveMandate(busy)
    await evaluate(busy, agentId)
    const before = await lastNumberOf(busy)
    await migrateAgain(quiet)
    expect([await lastNumberOf(busy), await lastNumberOf(quiet)]).toEqual([before, 0n])
    await evaluate(busy, agentId)
    expect(await lastNumberOf(busy)).toBe((before ?? 0n) + 1n)
    await evaluate(quiet, (await anActiveMandate(quiet)).agentId)
    expect(bodyOf(await quiet.get('/events')).data).toHaveLength(1)
    expect(bodyOf(await busy.get('/events')).data).toHaveLength(2)
  })
})

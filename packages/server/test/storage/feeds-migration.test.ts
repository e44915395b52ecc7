import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'

describe('feeds, where organizations were there before them', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  /** Puts the tables back to what they were, and migrates them again. */
  async function migrateAgain(): Promise<void> {
    const name = readdirSync(MIGRATIONS_FOLDER).find((file) => file.endsWith('-from-the-start.sql'))
    await app.rows('delete from event_feeds where last_number = 0')
    await app.rows(`alter table api_keys add constraint api_keys_organization_id_fkey
                    foreign key (organization_id) references organizations (id)`)
    await app.rows(readFileSync(join(MIGRATIONS_FOLDER, name ?? ''), 'utf8'))
  }

  test('begin with the first event, or go on after the last', async () => {
    const [quiet, busy] = [await app.organization(), await app.organization()]
    const { agentId } = await anActiveMandate(busy)
    await evaluate(busy, agentId)
    await migrateAgain()
    await evaluate(busy, agentId)
    await evaluate(quiet, (await anActiveMandate(quiet)).agentId)
    const numbers = await app.rows<{ last: bigint }>(
      'select last_number as last from event_feeds where organization_id = any($1::uuid[]) order by 1',
      [[quiet.organizationId, busy.organizationId]],
    )
    expect(numbers.map(({ last }) => last)).toEqual([1n, 2n])
    expect(bodyOf(await busy.get('/events')).data).toHaveLength(2)
  })
})

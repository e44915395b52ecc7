import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { distributeTables } from '../../../src/storage/distributed/distribute.ts'
import { undistributeTables } from '../../../src/storage/distributed/undistribute.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

describe('a database without Citus', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  test('is not distributed, and the error says how to add Citus', async () => {
    const moved: string[] = []
    await expect(
      distributeTables(database.db, undefined, (name) => moved.push(name)),
    ).rejects.toThrow(/does not have Citus.*create extension citus/)
    expect(moved).toEqual([])
  })

  test('has nothing to move back', async () => {
    expect(await undistributeTables(database.db, () => {})).toEqual([])
  })
})

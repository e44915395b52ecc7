import { expect, test } from 'vitest'
import { hashOrganization } from '../../../src/storage/distributed/organization-hash.ts'

/** What `worker_hash` of Citus 13.2 on PostgreSQL 15 returns. */
const OF_DATABASE: readonly (readonly [id: string, hash: number])[] = [
  ['00000000-0000-0000-0000-000000000001', -1046387463],
  ['00000000-0000-0000-0000-000000000002', 1772027377],
  ['00000000-0000-0000-0000-000000000003', -1082885749],
  ['00000000-0000-0000-0000-000000000004', 1716801002],
  ['00000000-0000-0000-0000-000000000005', 646847720],
]

test.each(OF_DATABASE)('the hash of %s is that of the database', (id, hash) => {
  expect(hashOrganization(id)).toBe(hash)
})

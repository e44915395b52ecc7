import { describe, test } from 'vitest'
import { describeOnPostgres } from '../support/database.ts'
import { sized } from '../support/sized.ts'
import { proveNothingIsLost } from './kill-proof.ts'

describeOnPostgres('gateway processes that are killed under load', () => {
  test('lose nothing and do nothing twice, on PostgreSQL', () =>
    proveNothingIsLost('postgres', { gateways: 3, killsPerGateway: sized(2, 6), clients: 24 }))

  test('lose nothing and do nothing twice with one spend in each batch', () =>
    proveNothingIsLost('postgres', {
      gateways: 2,
      killsPerGateway: sized(2, 4),
      clients: 24,
      batchSizeMax: 1,
    }))
})

describe('a gateway process that is killed under load', () => {
  test('loses nothing and does nothing twice, on the embedded engine', () =>
    proveNothingIsLost('embedded', { gateways: 1, killsPerGateway: 3, clients: 12 }))
})

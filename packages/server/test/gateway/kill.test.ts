import { describe, test } from 'vitest'
import { usualEngine } from '../support/database.ts'
import { proveNothingIsLost } from './kill-proof.ts'

// More kills, on both engines: kill.deep.test.ts. Hundreds: torture/kill.ts.

describe('a gateway process that is killed under load', () => {
  test('loses nothing and does nothing twice', () =>
    proveNothingIsLost(usualEngine(), { gateways: 1, killsPerGateway: 1, clients: 12 }))
})

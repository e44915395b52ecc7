import { describe } from 'vitest'
import { describeOnPostgres } from '../../support/database.ts'
import { failures, roundTrip } from './cases.ts'

describe('a store on the embedded engine', () => {
  roundTrip('embedded', 'embedded')
  failures('embedded')
})

describeOnPostgres('from one engine to the other', () => {
  roundTrip('embedded', 'postgres')
  roundTrip('postgres', 'embedded')
})

import { describeOnPostgres } from '../../support/database.ts'
import { failures, roundTrip } from './cases.ts'

describeOnPostgres('a store on PostgreSQL', () => {
  roundTrip('postgres', 'postgres')
  failures('postgres')
})

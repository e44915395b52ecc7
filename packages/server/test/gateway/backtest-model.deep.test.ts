import { sized } from '../support/sized.ts'
import { describeBacktests } from './backtest-proof.ts'

// The embedded engine, because that is what most histories are made on.
describeBacktests(sized(8, 60), 'embedded')

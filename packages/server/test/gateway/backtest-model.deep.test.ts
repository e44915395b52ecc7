import { describeBacktests } from './backtest-proof.ts'

// The embedded engine, because that is what most histories are made on.
describeBacktests(60, 'embedded')

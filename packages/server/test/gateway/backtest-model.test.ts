import { usualEngine } from '../support/database.ts'
import { describeBacktests } from './backtest-proof.ts'

// More of them: backtest-model.deep.test.ts.

describeBacktests(1, usualEngine())

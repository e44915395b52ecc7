import { describeBacktests } from './backtest-proof.ts'

// More of them: backtest-model.deep.test.ts.

describeBacktests(6)

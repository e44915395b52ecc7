import { describeBacktests } from './backtest-proof.ts'

describeBacktests(60)

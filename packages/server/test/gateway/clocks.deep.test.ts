import { sized } from '../support/sized.ts'
import { describeClocks } from './clocks-proof.ts'

describeClocks({ operations: sized(3_000, 20_000), spenders: 32, people: 6 })
describeClocks({ operations: sized(1_000, 5_000), spenders: 32, people: 6, batchSizeMax: 1 })

import { describeClocks } from './clocks-proof.ts'

describeClocks({ operations: 20_000, spenders: 32, people: 6 })
describeClocks({ operations: 5_000, spenders: 32, people: 6, batchSizeMax: 1 })

import { describeClocks } from './clocks-proof.ts'

describeClocks({ operations: 20_000, spenders: 32, people: 6 })

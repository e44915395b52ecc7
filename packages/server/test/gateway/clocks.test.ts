import { describeClocks } from './clocks-proof.ts'

// More of it: clocks.deep.test.ts. One thing at a time: one-clock.test.ts.

describeClocks({ operations: 500, spenders: 12, people: 2 })

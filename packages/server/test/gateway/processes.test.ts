import { describeProcesses } from './processes-proof.ts'

// More of both: processes.deep.test.ts.

describeProcesses({ gateways: 2, operations: 300 })
describeProcesses({ gateways: 2, operations: 150, batchSizeMax: 1 })

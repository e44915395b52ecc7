import { describeProcesses } from './processes-proof.ts'

// More of both: processes.deep.test.ts.

describeProcesses({ gateways: 2, operations: 120 })
describeProcesses({ gateways: 2, operations: 80, batchSizeMax: 1 })

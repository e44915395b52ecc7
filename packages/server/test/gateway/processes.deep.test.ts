import { describeProcesses } from './processes-proof.ts'

describeProcesses({ gateways: 4, operations: 4_000 })
describeProcesses({ gateways: 3, operations: 2_000, batchSizeMax: 1 })

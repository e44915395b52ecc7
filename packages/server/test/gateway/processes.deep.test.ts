import { describeProcesses } from './processes-proof.ts'

describeProcesses({ gateways: 4, operations: 4_000 })

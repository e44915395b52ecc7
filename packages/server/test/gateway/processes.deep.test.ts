import { sized } from '../support/sized.ts'
import { describeProcesses } from './processes-proof.ts'

describeProcesses({ gateways: 4, operations: sized(1_000, 4_000) })
describeProcesses({ gateways: 3, operations: sized(500, 2_000), batchSizeMax: 1 })

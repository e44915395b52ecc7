import { sized } from '../support/sized.ts'
import { describeProcesses } from './processes-proof.ts'

describeProcesses({ gateways: 4, operations: sized(600, 4_000) })
describeProcesses({ gateways: 3, operations: sized(300, 2_000), batchSizeMax: 1 })

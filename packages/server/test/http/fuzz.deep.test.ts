import { sized } from '../support/sized.ts'
import { describeRandomRequests } from './random-requests.ts'

describeRandomRequests(sized(250, 1_000))

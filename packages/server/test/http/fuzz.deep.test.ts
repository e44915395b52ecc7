import { describeRandomRequests } from './random-requests.ts'

describeRandomRequests(1_000)

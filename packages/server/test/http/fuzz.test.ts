import { describeRandomRequests } from './random-requests.ts'

// More of them: fuzz.deep.test.ts.

describeRandomRequests(60)

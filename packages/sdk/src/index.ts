export type { Answer, Call, CallOptions, Decided, DecisionCall, List } from './client/call.ts'
export { type ErrorFacts, PurserError } from './client/errors.ts'
export type { Problem } from './client/problem.ts'

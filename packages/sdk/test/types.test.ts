import { describe, expectTypeOf, test } from 'vitest'
import type { Call, DecisionCall, List } from '../src/client/call.ts'
import type { Api } from '../src/generated/tree.ts'
import type {
  AcpCheckoutAnswer,
  Agent,
  AgentList,
  Approval,
  ApprovedEvaluation,
  CardDecision,
  Evaluation,
  Event,
  Introspection,
  Permit,
  RejectedEvaluation,
  Rule,
  WebhookEvent,
  X402Payment,
  X402SignedPayment,
} from '../src/generated/types/index.ts'

/* The compiler checks these: a wrong type fails `npm run check`. */

describe('a type is narrowed', () => {
  test('by the decision on a spend', () => {
    const approved = (one: Evaluation) => (one.decision === 'approved' ? one : never())
    expectTypeOf(approved).returns.toEqualTypeOf<ApprovedEvaluation>()
    expectTypeOf<ApprovedEvaluation['mandateId']>().toEqualTypeOf<string>()
    expectTypeOf<ApprovedEvaluation['status']>().toEqualTypeOf<'held' | 'settled'>()
    expectTypeOf<RejectedEvaluation['status']>().toEqualTypeOf<'rejected'>()
    expectTypeOf<RejectedEvaluation['mandateId']>().toEqualTypeOf<string | null>()
  })

  test('by the status of a payment', () => {
    const header = (one: X402Payment) => (one.status === 'signed' ? one.payment : never())
    expectTypeOf(header).returns.toEqualTypeOf<X402SignedPayment>()
    const free = (one: X402Payment) => (one.decision === null ? one.status : never())
    expectTypeOf(free).returns.toEqualTypeOf<'no_payment_required'>()
    const hold = (one: X402Payment) => (one.status === 'paid' ? one.hold.id : never())
    expectTypeOf(hold).returns.toEqualTypeOf<string>()
  })

  test('by the decision on a checkout or a card', () => {
    const failure = (one: AcpCheckoutAnswer) =>
      one.decision === 'rejected' && one.status === 'failed' ? one.failure.code : never()
    expectTypeOf(failure).returns.toEqualTypeOf<string>()
    const recorded = (one: CardDecision) => (one.status === null ? never() : one.transactionId)
    expectTypeOf(recorded).returns.toEqualTypeOf<string>()
  })

  test('by the status of an approval, and of a token', () => {
    const permit = (one: Approval) => (one.status === 'approved' ? one.permit : never())
    expectTypeOf(permit).returns.toEqualTypeOf<Permit>()
    const budget = (one: Introspection) => (one.active ? one.budget.remaining : never())
    expectTypeOf(budget).returns.toEqualTypeOf<number>()
  })

  test('by the kind of an event, and of a rule', () => {
    const reason = (one: Event | WebhookEvent) =>
      one.event === 'transaction.rejected' ? one.data.reason : never()
    expectTypeOf(reason).returns.toEqualTypeOf<string | null>()
    const window = (one: Rule) => (one.type === 'limit' ? one.window : never())
    expectTypeOf(window).returns.toEqualTypeOf<string>()
  })
})

test('a method takes its path, then its input, then options', () => {
  expectTypeOf<Api['gateway']['evaluate']>().returns.toEqualTypeOf<DecisionCall<Evaluation>>()
  expectTypeOf<Api['agents']['get']>().returns.toEqualTypeOf<Call<Agent>>()
  expectTypeOf<Api['agents']['list']>().returns.toEqualTypeOf<List<Agent, AgentList>>()
  expectTypeOf<Parameters<Api['mandates']['delete']>['length']>().toEqualTypeOf<1 | 2>()
  expectTypeOf<Parameters<Api['transactions']['settle']>['length']>().toEqualTypeOf<1 | 2 | 3>()
})

function never(): never {
  throw new Error('These functions are only typed.')
}

import { type TSchema, Type } from 'typebox'
import type { EventKind } from '../../core/events/event.ts'
import { PATH_NAMES } from '../../core/path.ts'
import { ADDRESSES_MAX } from '../../core/people/sign-in-note.ts'
import {
  AgentId,
  component,
  DecisionCode,
  NullableDecisionCode,
  nullable,
  publicId,
  Sum,
  Timestamp,
} from './schemas.ts'

const MandateId = publicId('mnd', 'the mandate')
const Percent = Type.Number({ description: 'At most 100.', examples: [80] })
const PathName = Type.Enum([...PATH_NAMES], { type: 'string' })

const Flags = Type.Array(Type.String(), {
  description: 'What is unusual about it, then the ids of the rules that flagged it.',
})

/** What never changes of a transaction. */
const spend = {
  transactionId: publicId('txn', 'the transaction'),
  agentId: AgentId,
  mandateId: nullable(publicId('mnd', 'the mandate that governed')),
  amount: Sum,
  vendor: Type.String(),
  category: nullable(Type.String()),
  currency: nullable(Type.String()),
  path: PathName,
  reference: nullable(Type.String()),
}

const decided = {
  ...spend,
  remainingBudget: Type.Number({ description: 'What was left after the decision.' }),
  status: Type.Enum(['rejected', 'held', 'settled'], { type: 'string' }),
  expiresAt: nullable({ ...Timestamp, description: 'When a hold ends by itself.' }),
  flags: Flags,
}

const ApprovedData = Type.Object(
  { ...decided, decision: Type.Literal('approved') },
  { title: 'ApprovedEventData' },
)

const RejectedData = Type.Object(
  {
    ...decided,
    decision: Type.Literal('rejected'),
    code: DecisionCode,
    reason: nullable(
      Type.String({ description: 'One plain sentence. Null once the details are removed.' }),
    ),
    reasons: Type.Array(
      Type.Object({
        ruleId: Type.String(),
        code: NullableDecisionCode,
        message: Type.String(),
      }),
      { description: 'Every rule that stood in the way. Empty once the details are removed.' },
    ),
    approvalId: nullable(publicId('apr', 'the approval that it asked for or presented')),
  },
  { title: 'RejectedEventData' },
)

const OutcomeData = Type.Object(
  {
    ...spend,
    status: Type.Enum(
      ['rejected', 'held', 'settled', 'voided', 'expired', 'partially_refunded', 'refunded'],
      { type: 'string' },
    ),
    settledAmount: Sum,
    refundedAmount: Sum,
    flags: Flags,
  },
  { title: 'OutcomeEventData' },
)

const BudgetData = Type.Object(
  {
    mandateId: MandateId,
    agentId: AgentId,
    budgetTotal: Sum,
    budgetSpent: Sum,
    percentUsed: Percent,
  },
  { title: 'BudgetEventData' },
)

const approval = {
  approvalId: publicId('apr', 'the approval'),
  status: component<string>('ApprovalStatus'),
  transactionId: publicId('txn', 'the transaction that asked'),
  agentId: AgentId,
  mandateId: MandateId,
  amount: Sum,
  currency: Type.String(),
  vendor: Type.String(),
  category: nullable(Type.String()),
  path: PathName,
  expiresAt: Timestamp,
}

const ApprovalRequestedData = Type.Object(approval, { title: 'ApprovalRequestedEventData' })

const ApprovalDecidedData = Type.Object(
  {
    ...approval,
    decision: Type.Enum(['approve', 'reject', 'expired'], {
      type: 'string',
      description: '`expired` if nobody answered in time.',
    }),
    decidedBy: nullable(Type.String({ description: 'What the key or the member is called.' })),
    decidedById: Type.Optional(
      nullable(
        Type.String({
          description:
            'The id of the key or of the member. Events from before this was told do not have it.',
        }),
      ),
    ),
    decidedByEmail: Type.Optional(
      nullable(
        Type.String({
          description: 'Null for a key. Events from before this was told do not have it.',
        }),
      ),
    ),
    comment: nullable(Type.String()),
    maxAmount: nullable({ ...Sum, description: 'The most that was approved.' }),
  },
  { title: 'ApprovalDecidedEventData' },
)

const UsageData = Type.Object(
  {
    plan: component<string>('Plan'),
    limit: Type.Integer({ description: 'How many evaluations the plan has in a month.' }),
    used: Type.Integer(),
    percentUsed: Percent,
    resetsAt: Timestamp,
  },
  { title: 'UsageEventData' },
)

const CardFlaggedData = Type.Object(
  {
    what: component<string>('CardFlag'),
    connectionId: publicId('conn', 'the connection to the issuer'),
    authorizationId: nullable(Type.String()),
    externalTransactionId: nullable(
      Type.String({ description: 'The money, as the issuer names it.' }),
    ),
    cardId: nullable(publicId('card', 'the card')),
    agentId: nullable(AgentId),
    amount: nullable(Sum),
    currency: nullable(Type.String()),
    message: Type.String(),
  },
  { title: 'CardFlaggedEventData' },
)

const signIn = {
  memberId: publicId('mem', 'the member'),
  email: Type.String(),
  addresses: Type.Array(Type.String(), {
    maxItems: ADDRESSES_MAX,
    description: 'Addresses of the network that it came from.',
  }),
  number: Type.Integer({ description: 'How often it happened from `firstAt` to `lastAt`.' }),
  firstAt: Timestamp,
  lastAt: Timestamp,
}

const SignInData = Type.Object(signIn, { title: 'SignInEventData' })

const SignInLockedData = Type.Object(
  {
    ...signIn,
    scope: nullable(
      Type.Enum(['address', 'everywhere', 'session'], {
        type: 'string',
        description: 'For whom the account is locked.',
      }),
    ),
    lockedUntil: nullable(Timestamp),
  },
  { title: 'SignInLockedEventData' },
)

/** What the events of each kind tell, and when they come. */
export const EVENT_SHAPES: Readonly<
  Record<EventKind, { readonly when: string; readonly data: TSchema }>
> = {
  'transaction.approved': { when: 'A spend was approved', data: ApprovedData },
  'transaction.rejected': { when: 'A spend was rejected', data: RejectedData },
  'mandate.budget.warning': {
    when: 'A mandate came to 80 % of its budget or more',
    data: BudgetData,
  },
  'mandate.budget.exhausted': {
    when: "Nothing is left of a mandate's budget",
    data: BudgetData,
  },
  'transaction.settled': { when: 'A hold was settled', data: OutcomeData },
  'transaction.voided': {
    when: 'A hold was given back because no money moved',
    data: OutcomeData,
  },
  'transaction.expired': { when: 'The time of a hold was over', data: OutcomeData },
  'transaction.refunded': { when: 'Money came back, fully or partly', data: OutcomeData },
  'approval.requested': { when: 'A spend waits for a person', data: ApprovalRequestedData },
  'approval.decided': {
    when: 'A request was approved or rejected, or nobody answered in time',
    data: ApprovalDecidedData,
  },
  'usage.warning': {
    when: 'The organization came to 80 % of its evaluations of the month',
    data: UsageData,
  },
  'usage.exhausted': {
    when: 'The organization used its last evaluation of the month',
    data: UsageData,
  },
  'card.flagged': {
    when: 'An issuer of cards told something that a person should look at',
    data: CardFlaggedData,
  },
  'sign_in.succeeded': { when: 'A member signed in', data: SignInData },
  'sign_in.failed': {
    when: 'Wrong passwords were given for an account within a quarter of an hour',
    data: SignInData,
  },
  'sign_in.locked': { when: 'An account was locked', data: SignInLockedData },
  'sign_in.refused': {
    when: 'An address that tried too often asked for an account',
    data: SignInData,
  },
  'sign_in.reset': { when: 'A member chose a new password with a link', data: SignInData },
}

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
  SpendCategory,
  SpendCurrency,
  SpendReference,
  Sum,
  sumOf,
  timeWhen,
  VendorHost,
} from './schemas.ts'

const MandateId = publicId('mnd', 'the mandate')
const Percent = Type.Number({
  description: 'How much is used, in percent; at most 100.',
  examples: [80],
})
const PathName = Type.Enum([...PATH_NAMES], { type: 'string' })

const Flags = Type.Array(Type.String(), {
  description:
    'Flags for anything unusual about the transaction, followed by the ids of the rules that flagged the spend.',
})

/** The fields of a transaction that never change. */
const spend = {
  transactionId: publicId('txn', 'the transaction'),
  agentId: AgentId,
  mandateId: nullable(publicId('mnd', 'the mandate that applied')),
  amount: Sum,
  vendor: VendorHost,
  category: SpendCategory,
  currency: SpendCurrency,
  path: PathName,
  reference: SpendReference,
}

const decided = {
  ...spend,
  remainingBudget: Type.Number({
    description: 'The budget that remained after the decision, in units of the currency.',
  }),
  status: Type.Enum(['rejected', 'held', 'settled'], { type: 'string' }),
  expiresAt: nullable(timeWhen('When the hold expires', 'Null if there is no hold that expires.')),
  flags: Flags,
}

const ApprovedData = Type.Object(
  { ...decided, decision: Type.Literal('approved', { description: 'The decision on the spend.' }) },
  { title: 'ApprovedEventData', description: 'The approved spend.' },
)

const RejectedData = Type.Object(
  {
    ...decided,
    decision: Type.Literal('rejected', { description: 'The decision on the spend.' }),
    code: DecisionCode,
    reason: nullable(
      Type.String({
        description:
          'Why the spend was rejected, in one sentence. Null once retention has removed the details.',
      }),
    ),
    reasons: Type.Array(
      Type.Object({
        ruleId: Type.String({ description: 'The id of the rule.' }),
        code: NullableDecisionCode,
        message: Type.String({ description: 'Why the rule blocked the spend, in one sentence.' }),
      }),
      {
        description:
          'Every rule that blocked the spend. Empty once retention has removed the details.',
      },
    ),
    approvalId: nullable(publicId('apr', 'the approval that the spend requested or presented')),
  },
  { title: 'RejectedEventData', description: 'The rejected spend.' },
)

const OutcomeData = Type.Object(
  {
    ...spend,
    status: Type.Enum(
      ['rejected', 'held', 'settled', 'voided', 'expired', 'partially_refunded', 'refunded'],
      { type: 'string' },
    ),
    settledAmount: sumOf('The settled amount'),
    refundedAmount: sumOf('The refunded amount'),
    flags: Flags,
  },
  { title: 'OutcomeEventData', description: 'The transaction after the change.' },
)

const BudgetData = Type.Object(
  {
    mandateId: MandateId,
    agentId: AgentId,
    budgetTotal: sumOf('The budget of the current period'),
    budgetSpent: sumOf('The amount used in the current period, including holds'),
    percentUsed: Percent,
  },
  { title: 'BudgetEventData', description: 'The mandate and its budget.' },
)

const approval = {
  approvalId: publicId('apr', 'the approval'),
  status: component<string>('ApprovalStatus'),
  transactionId: publicId('txn', 'the rejected transaction that requested the approval'),
  agentId: AgentId,
  mandateId: MandateId,
  amount: Sum,
  currency: Type.String({ description: 'The currency of the amounts.' }),
  vendor: VendorHost,
  category: SpendCategory,
  path: PathName,
  expiresAt: timeWhen('When the request, or the approval, expires'),
}

const ApprovalRequestedData = Type.Object(approval, {
  title: 'ApprovalRequestedEventData',
  description: 'The approval request.',
})

const ApprovalDecidedData = Type.Object(
  {
    ...approval,
    decision: Type.Enum(['approve', 'reject', 'expired'], {
      type: 'string',
      description:
        'The decision on the request. `expired`: the request expired before a decision was made.',
    }),
    decidedBy: nullable(
      Type.String({
        description: 'The name of the key or member that decided. Null if the request expired.',
      }),
    ),
    decidedById: Type.Optional(
      nullable(
        Type.String({
          description:
            'The id of the key (`key_…`) or member (`mem_…`) that decided. Null if the request expired. Older events lack this field.',
        }),
      ),
    ),
    decidedByEmail: Type.Optional(
      nullable(
        Type.String({
          description:
            'The email address of the member who decided. Null if a key decided or the request expired. Older events lack this field.',
        }),
      ),
    ),
    comment: nullable(
      Type.String({ description: 'The comment of the key or member that decided.' }),
    ),
    maxAmount: nullable({
      ...Sum,
      description:
        'The highest amount that the approval allows, in units of the currency. Null if the request was not approved.',
    }),
  },
  { title: 'ApprovalDecidedEventData', description: 'The approval request and its decision.' },
)

const UsageData = Type.Object(
  {
    plan: component<string>('Plan'),
    limit: Type.Integer({
      description: 'The number of evaluations that the plan includes per month.',
    }),
    used: Type.Integer({ description: 'The number of evaluations used this month.' }),
    percentUsed: Percent,
    resetsAt: timeWhen('When the count starts again at 0'),
  },
  { title: 'UsageEventData', description: "The plan's evaluations of the month." },
)

const CardFlaggedData = Type.Object(
  {
    what: component<string>('CardFlag'),
    connectionId: publicId('conn', 'the connection to the issuer'),
    authorizationId: nullable(Type.String({ description: "The issuer's id for the purchase." })),
    externalTransactionId: nullable(
      Type.String({ description: "The issuer's id for the capture or refund." }),
    ),
    cardId: nullable(publicId('card', 'the card')),
    agentId: nullable(AgentId),
    amount: nullable(Sum),
    currency: SpendCurrency,
    message: Type.String({ description: 'The event in one sentence.' }),
  },
  { title: 'CardFlaggedEventData', description: 'The card event to check.' },
)

const signIn = {
  memberId: publicId('mem', 'the member'),
  email: Type.String({ description: 'The email address of the member.' }),
  addresses: Type.Array(Type.String(), {
    maxItems: ADDRESSES_MAX,
    description: 'The IP addresses that the attempts came from.',
  }),
  number: Type.Integer({ description: 'How often this happened between `firstAt` and `lastAt`.' }),
  firstAt: timeWhen('When it happened first'),
  lastAt: timeWhen('When it happened last'),
}

const SignInData = Type.Object(signIn, {
  title: 'SignInEventData',
  description: 'The member and the sign-ins.',
})

const SignInSucceededData = Type.Object(
  {
    ...signIn,
    method: nullable(
      Type.Enum(['password', 'passkey', 'recovery_code'], {
        type: 'string',
        description: 'How the member signed in. Null: recorded by an older gateway.',
      }),
    ),
  },
  { title: 'SignInSucceededEventData', description: 'The member and the sign-ins.' },
)

const SignInLockedData = Type.Object(
  {
    ...signIn,
    scope: nullable(
      Type.Enum(['address', 'everywhere', 'session'], {
        type: 'string',
        description:
          'Who is locked out of the account. `address`: sign-ins from one IP address. `everywhere`: all sign-ins. `session`: password checks within one session.',
      }),
    ),
    lockedUntil: nullable(timeWhen('When the lock ends')),
  },
  { title: 'SignInLockedEventData', description: 'The member and the lock.' },
)

/** The data of each kind of event, and the sentence that says when it is sent. */
export const EVENT_SHAPES: Readonly<
  Record<EventKind, { readonly when: string; readonly data: TSchema }>
> = {
  'transaction.approved': { when: 'A spend was approved', data: ApprovedData },
  'transaction.rejected': { when: 'A spend was rejected', data: RejectedData },
  'mandate.budget.warning': {
    when: 'A mandate has used at least 80 % of its budget',
    data: BudgetData,
  },
  'mandate.budget.exhausted': {
    when: 'A mandate has used its whole budget',
    data: BudgetData,
  },
  'transaction.settled': { when: 'A hold was settled', data: OutcomeData },
  'transaction.voided': {
    when: 'A hold was voided because no money moved',
    data: OutcomeData,
  },
  'transaction.expired': { when: 'A hold expired', data: OutcomeData },
  'transaction.refunded': {
    when: 'A settled spend was refunded, fully or partly',
    data: OutcomeData,
  },
  'approval.requested': { when: "A spend needs a person's approval", data: ApprovalRequestedData },
  'approval.decided': {
    when: 'An approval request was approved or rejected, or it expired',
    data: ApprovalDecidedData,
  },
  'usage.warning': {
    when: 'The organization has used 80 % of its monthly evaluations',
    data: UsageData,
  },
  'usage.exhausted': {
    when: 'The organization has used all of its monthly evaluations',
    data: UsageData,
  },
  'card.flagged': {
    when: 'A card issuer reported something that a person should check',
    data: CardFlaggedData,
  },
  'sign_in.succeeded': { when: 'A member signed in', data: SignInSucceededData },
  'sign_in.failed': {
    when: 'Sign-ins to an account failed: wrong password or locked account',
    data: SignInData,
  },
  'sign_in.locked': { when: 'An account was locked', data: SignInLockedData },
  'sign_in.refused': {
    when: 'A sign-in was refused because its IP address had made too many attempts',
    data: SignInData,
  },
  'sign_in.reset': { when: 'A member set a new password with a reset link', data: SignInData },
}

import { Type } from 'typebox'
import { RULES_MAX, RuleInput } from '../../core/rules/rule-set.ts'
import { nullable, publicId, Sum, Timestamp, Warning } from '../../http/document/schemas.ts'
import { BACKTEST_EXAMPLE } from './examples.ts'

const EXAMPLES_MAX = 100

export const BacktestInput = Type.Object(
  {
    rules: Type.Optional(
      Type.Array(RuleInput, {
        maxItems: RULES_MAX,
        description: "Judged in the place of the mandate's own rules.",
      }),
    ),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'The version of the mandate whose rules are judged by, instead of `rules`.',
      }),
    ),
    examples: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: EXAMPLES_MAX,
        description: 'How many flipped decisions are shown, the largest first. By default: 10.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'BacktestInput',
    examples: [{ rules: [{ type: 'amount', max: 10 }], examples: 3 }],
  },
)

const Count = Type.Integer({ minimum: 0 })

const Money = Type.Array(
  Type.Object(
    {
      currency: nullable(Type.String()),
      newlyApproved: Sum,
      newlyRejected: Sum,
    },
    { title: 'MoneyEachWay' },
  ),
  { description: 'For each currency, what would be spent in addition and what no more.' },
)

const Reason = Type.Object(
  {
    before: Type.String({ description: 'The code of the decision.' }),
    after: Type.String({ description: 'The code that the proposed rules give.' }),
    count: Count,
    money: Money,
  },
  { title: 'FlipReason' },
)

const RuleEffect = Type.Object(
  {
    id: Type.String({
      description: "The id of a rule; those of a parent have the parent's before.",
    }),
    type: Type.String(),
    stoodInTheWay: Count,
    askedPerson: Count,
    flagged: Count,
    newlyRejected: Type.Integer({
      minimum: 0,
      description: 'Spends that were approved and that it stands in the way of first.',
    }),
    money: Money,
  },
  { title: 'RuleEffect' },
)

const decided = {
  decision: Type.Enum(['approved', 'rejected'], { type: 'string' }),
  code: Type.String(),
  ruleId: nullable(Type.String()),
}

const FlippedDecision = Type.Object(
  {
    transactionId: publicId('txn', 'the transaction'),
    createdAt: Timestamp,
    vendor: Type.String(),
    category: nullable(Type.String()),
    amount: Sum,
    currency: nullable(Type.String()),
    before: Type.Object(decided),
    after: Type.Object({ ...decided, message: Type.String() }),
  },
  { title: 'FlippedDecision' },
)

export const Backtest = Type.Object(
  {
    partial: Type.Boolean({ description: 'Whether there is more after `replayedTo`.' }),
    from: nullable(Timestamp),
    replayedTo: nullable(Timestamp),
    replayed: Count,
    approvedBefore: Count,
    approvedNow: Count,
    newlyRejected: Count,
    newlyApproved: Count,
    otherCode: Type.Integer({ minimum: 0, description: 'Same decision, other code.' }),
    newlyAsked: Type.Integer({ minimum: 0, description: 'A person would be asked, and was not.' }),
    takenFromRecord: Type.Integer({
      minimum: 0,
      description: 'Not judged by the proposed rules; `assumptions` says which these are.',
    }),
    money: Money,
    reasons: Type.Array(Reason),
    rules: Type.Array(RuleEffect),
    examples: Type.Array(FlippedDecision),
    notReplayed: Type.Array(
      Type.Object(
        {
          reason: Type.Enum(['details_removed', 'inputs_not_kept', 'changes_not_kept'], {
            type: 'string',
          }),
          count: Count,
        },
        { title: 'NotReplayed' },
      ),
      { description: 'Left as they were decided, because not enough of them is kept.' },
    ),
    assumptions: Type.Array(Type.String()),
    warnings: Type.Array(Warning, {
      description:
        'About the proposed rules: what contradicts itself, what can never pass or, in a sub-mandate, what allows more than a mandate above it. A change to such rules can be refused with `mandate_wider_than_parent`.',
    }),
  },
  { title: 'Backtest', examples: [BACKTEST_EXAMPLE] },
)

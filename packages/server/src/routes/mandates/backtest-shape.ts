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
        description:
          "The rules to test instead of the mandate's own rules. Send either `rules` or `version`.",
      }),
    ),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'Test the rules of this version of the mandate. Send either `rules` or `version`.',
      }),
    ),
    examples: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: EXAMPLES_MAX,
        description:
          'How many changed decisions to return in `examples`, largest amount first. Default: 10.',
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
  {
    description:
      'Per currency: the additional amount that would be spent, and the amount that would no longer be spent.',
  },
)

const Reason = Type.Object(
  {
    before: Type.String({ description: 'The code of the original decision.' }),
    after: Type.String({ description: 'The code that the tested rules give.' }),
    count: Count,
    money: Money,
  },
  { title: 'FlipReason' },
)

const RuleEffect = Type.Object(
  {
    id: Type.String({
      description:
        "The id of the rule. For a rule of a parent mandate, the parent's id comes first.",
    }),
    type: Type.String(),
    stoodInTheWay: Count,
    askedPerson: Count,
    flagged: Count,
    newlyRejected: Type.Integer({
      minimum: 0,
      description: 'Number of approved spends for which this rule is the first to reject them now.',
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
    partial: Type.Boolean({
      description:
        'True if the backtest stopped at `replayedTo` because of the time limit, with later decisions left.',
    }),
    from: nullable(Timestamp),
    replayedTo: nullable(Timestamp),
    replayed: Count,
    approvedBefore: Count,
    approvedNow: Count,
    newlyRejected: Count,
    newlyApproved: Count,
    otherCode: Type.Integer({
      minimum: 0,
      description: 'Number of spends with the same decision but a different code.',
    }),
    newlyAsked: Type.Integer({
      minimum: 0,
      description: "Number of spends that would now need a person's approval and did not before.",
    }),
    takenFromRecord: Type.Integer({
      minimum: 0,
      description:
        'Number of decisions taken from the record instead of being evaluated with the tested rules. `assumptions` explains which.',
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
      {
        description:
          'Decisions that were not replayed because not enough data about them is stored. They keep their outcome.',
      },
    ),
    assumptions: Type.Array(Type.String()),
    warnings: Type.Array(Warning, {
      description:
        'Warnings about the tested rules: rules that contradict each other, rules that can never pass and, for a child mandate, rules that allow more than a parent does. A change to such rules can fail with `mandate_wider_than_parent`.',
    }),
  },
  { title: 'Backtest', examples: [BACKTEST_EXAMPLE] },
)

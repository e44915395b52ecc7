import { Type } from 'typebox'
import { RULES_MAX, RuleInput } from '../../core/rules/rule-set.ts'
import {
  Money as AnyMoney,
  DecisionCode,
  nullable,
  publicId,
  SpendCategory,
  SpendCurrency,
  Sum,
  sumOf,
  timeWhen,
  VendorHost,
  Warning,
} from '../../http/document/schemas.ts'
import { timesOf } from '../../http/validation/query-times.ts'
import { BACKTEST_EXAMPLE } from './examples.ts'

const EXAMPLES_MAX = 100

export const BacktestInput = Type.Object(
  {
    rules: Type.Optional(
      Type.Array(RuleInput, {
        maxItems: RULES_MAX,
        description:
          "The rules to test instead of the mandate's own rules. Send either `rules` or `version`. With `budgetTotal` or `agentHistory`, both are optional; the default is the mandate's own rules.",
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
    budgetTotal: Type.Optional({
      ...AnyMoney,
      description:
        'The budget to test, per period, in units of the currency. Default: the budget at each decision or, with `agentHistory`, the present budget.',
    }),
    agentHistory: Type.Optional(
      Type.Boolean({
        description:
          "If true, also replay the agent's spends under its other mandates, as if this mandate had been active for the agent's whole history. Use it to test a draft. Default: false.",
      }),
    ),
    ...timesOf('decisions made'),
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

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Money = Type.Array(
  Type.Object(
    {
      currency: SpendCurrency,
      newlyApproved: sumOf('The amount of rejected spends that the tested rules approve'),
      newlyRejected: sumOf('The amount of approved spends that the tested rules reject'),
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
    count: count('Number of decisions that changed in this way.'),
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
    type: Type.String({ description: 'The type of the rule.' }),
    stoodInTheWay: count('Number of spends that this rule would reject.'),
    askedPerson: count("Number of spends for which this rule would require a person's approval."),
    flagged: count('Number of spends that this rule would flag.'),
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
  code: DecisionCode,
  ruleId: nullable(Type.String({ description: 'The first rule that failed. Null if none did.' })),
}

const FlippedDecision = Type.Object(
  {
    transactionId: publicId('txn', 'the transaction'),
    createdAt: timeWhen('When the spend was decided'),
    vendor: VendorHost,
    category: SpendCategory,
    amount: Sum,
    currency: SpendCurrency,
    before: Type.Object(decided, { description: 'The original decision.' }),
    after: Type.Object(
      {
        ...decided,
        message: Type.String({ description: 'The new decision explained in one sentence.' }),
      },
      { description: 'The decision with the tested rules.' },
    ),
  },
  { title: 'FlippedDecision' },
)

export const Backtest = Type.Object(
  {
    partial: Type.Boolean({
      description:
        'True if the backtest stopped at `replayedTo` because of the time limit, with later decisions left.',
    }),
    from: nullable(timeWhen('When the first replayed decision was made')),
    replayedTo: nullable(timeWhen('When the last replayed decision was made')),
    replayed: count('Number of replayed decisions.'),
    approvedBefore: count('Number of spends that were approved originally.'),
    approvedNow: count('Number of spends that the tested rules approve.'),
    newlyRejected: count('Number of approved spends that the tested rules reject.'),
    newlyApproved: count('Number of rejected spends that the tested rules approve.'),
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
    reasons: Type.Array(Reason, {
      description: 'The changed decisions, by code before and after.',
    }),
    rules: Type.Array(RuleEffect, { description: 'The effect of each tested rule.' }),
    examples: Type.Array(FlippedDecision, {
      description: 'Changed decisions, largest amount first.',
    }),
    notReplayed: Type.Array(
      Type.Object(
        {
          reason: Type.Enum(['details_removed', 'inputs_not_kept', 'changes_not_kept'], {
            type: 'string',
          }),
          count: count('Number of decisions.'),
        },
        { title: 'NotReplayed' },
      ),
      {
        description:
          'Decisions that were not replayed because not enough data about them is stored. They keep their outcome.',
      },
    ),
    assumptions: Type.Array(Type.String(), {
      description: 'The assumptions of this backtest, one sentence each.',
    }),
    warnings: Type.Array(Warning, {
      description:
        'Warnings about the tested rules: rules that contradict each other, rules that can never pass and, for a child mandate, rules that allow more than a parent does. A change to such rules can fail with `mandate_wider_than_parent`.',
    }),
  },
  { title: 'Backtest', examples: [BACKTEST_EXAMPLE] },
)

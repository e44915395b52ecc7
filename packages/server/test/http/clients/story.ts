import { EVERY_RULE } from './every-rule.ts'
import type {
  Agent,
  EvaluateProblem,
  EvaluateProblemCode,
  Evaluation,
  Event,
  EventList,
  Mandate,
  MandateInput,
  Rule,
  SpendInput,
  Transaction,
  TransactionApprovedWebhook,
} from './types.ts'

/** What the story needs of a generated client. */
export interface Calls {
  createAgent(name: string): Promise<Agent>
  createMandate(input: MandateInput): Promise<Mandate>
  activateMandate(id: string): Promise<Mandate>
  evaluate(spend: SpendInput): Promise<Evaluation>
  getTransaction(id: string): Promise<Transaction>
  listEvents(): Promise<EventList>
  /** What is answered to a spend of an agent that does not exist. */
  refuse(spend: SpendInput): Promise<EvaluateProblem>
}

/** Sends every kind of rule, spends by one of them, and reads what became of it. */
export async function tell(calls: Calls) {
  const agent = await calls.createAgent('Generated client')
  const mandateOf = (rules: MandateInput['rules']) =>
    calls.createMandate({ agentId: agent.id, budgetTotal: 100, currency: 'USD', rules })
  const stored: Rule[] = []
  for (const rule of Object.values(EVERY_RULE)) stored.push(...(await mandateOf([rule])).rules)

  const { id } = await mandateOf([EVERY_RULE.amount])
  const { status } = await calls.activateMandate(id)
  const spend = { agentId: agent.id, amount: 60, vendor: 'api.example.com', category: 'llm' }
  const evaluation = await calls.evaluate(spend)
  const transaction = await calls.getTransaction(evaluation.transactionId)
  const { data: events } = await calls.listEvents()
  const problem = await calls.refuse({ ...spend, agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11' })
  return {
    stored: stored.map((rule) => [rule.type, settingOf(rule)]),
    status,
    decision: evaluation.decision,
    limit: transaction.evaluationDetails?.rules[0]?.limit,
    next: transaction.evaluationDetails?.next.maxAmountNow,
    events: events.map(reasonOf),
    problem: wordsOf(problem),
  }
}

/** The type of a rule says which settings it has. */
function settingOf(rule: Rule): unknown {
  switch (rule.type) {
    case 'paths':
    case 'categories':
      return rule.allow
    case 'vendors':
      return rule.block
    case 'amount':
      return rule.max
    case 'schedule':
      return rule.windows.map(({ from }) => from)
    case 'limit':
      return rule.maxAmount
    case 'duplicate':
      return rule.match
    case 'new_vendor':
      return rule.effect
    case 'price_drift':
      return rule.maxIncreasePercent
    case 'expression':
      return rule.expr
    case 'approval':
      return rule.above
    default:
      return unknownRule(rule)
  }
}

function unknownRule(rule: never): never {
  throw new Error(`The story does not know this rule: ${JSON.stringify(rule)}`)
}

/** The kind of an event says what its data holds. */
function reasonOf(event: Event): unknown {
  if (event.event === 'transaction.rejected') return event.data.reasons.map(({ code }) => code)
  return event.event === 'mandate.budget.warning' ? event.data.percentUsed : event.event
}

/** The code may be one that nobody knew when the client was generated. */
function wordsOf({ code }: EvaluateProblem): string {
  const known: Partial<Record<EvaluateProblemCode, string>> = { agent_not_found: 'no such agent' }
  return known[code as EvaluateProblemCode] ?? code
}

/** What the receiver of a webhook writes. */
export function amountOf({ data }: TransactionApprovedWebhook): number {
  return data.amount
}

import type { Mandate } from '../generated/types/index.ts'
import { defineTool, READS } from './define-tool.ts'
import { needsAgent } from './error-result.ts'
import { type OwnAgent, ownAgent, signalOf } from './own.ts'
import { ruleWords } from './rule-words.ts'
import { AGENT_ID, inputSchema } from './schema.ts'
import type { Tool, ToolClient, ToolContext, ToolResult } from './types.ts'
import type { Input } from './validate.ts'

/** The API returns no more groups. */
const GROUPS_MAX = 100

export const getMandate: Tool = defineTool({
  name: 'get_mandate',
  title: 'Read your mandate',
  description:
    'Read the rules that your spending must follow, with your budget. Read it before you plan purchases. Only people can change it.',
  inputSchema: inputSchema({ agentId: AGENT_ID }),
  hints: READS,
  work: (purser, input, context) =>
    withMandate(
      purser,
      input,
      context,
      async ({ id, name, status, validUntil, rules, ...rest }) => ({
        isError: false,
        mandateId: id,
        ...{ name, status, validUntil },
        currency: rest.currency,
        timezone: rest.timezone,
        rules: rules.map((rule) => ({ id: rule.id, type: rule.type, words: ruleWords(rule) })),
        budget: budgetOf(rest),
        summary: `You have ${rest.remainingBudget} ${rest.currency} left, ${underRules(rules.length)}${rest.parentMandateId ? ' A parent mandate may limit you further; check_spend counts it in.' : ''}`,
      }),
    ),
})

export const getBudget: Tool = defineTool({
  name: 'get_budget',
  title: 'Read your budget',
  description:
    'Read how much of your budget is spent, reserved and left, by category, and whether you spend faster than the period passes.',
  inputSchema: inputSchema({ agentId: AGENT_ID }),
  hints: READS,
  work: (purser, input, context) =>
    withMandate(purser, input, context, async (mandate, { id }) => {
      const { remainingBudget, currency, budgetTotal, periodEnd } = mandate
      const spent = await spentByCategory(purser, id, mandate, context)
      const resets = periodEnd ? ` It resets at ${periodEnd}.` : ' It does not reset.'
      return {
        isError: false,
        agentId: id,
        currency,
        ...budgetOf(mandate),
        pace: paceOf(mandate, Date.now()),
        byCategory: spent?.byCategory ?? null,
        byCategoryUntil: spent?.until ?? null,
        summary: `${remainingBudget} of ${budgetTotal} ${currency} is left.${resets}${spent?.lag ?? ''}`,
      }
    }),
})

function underRules(count: number): string {
  if (count === 0) return 'and no rules besides the budget.'
  return count === 1 ? 'under 1 rule, which must pass.' : `under ${count} rules. All must pass.`
}

async function withMandate(
  purser: ToolClient,
  { agentId }: Input,
  context: ToolContext,
  describe: (mandate: Mandate, agent: OwnAgent) => Promise<ToolResult>,
): Promise<ToolResult> {
  const agent = await ownAgent(purser, agentId as string | undefined, context)
  if (!agent) return needsAgent()
  if (agent.mandate) return describe(agent.mandate, agent)
  return {
    isError: false,
    mandateId: null,
    summary: 'You have no active mandate, so every spend is rejected. Tell a person.',
  }
}

function budgetOf(mandate: Omit<Mandate, 'rules' | 'id' | 'name' | 'status' | 'validUntil'>) {
  const { budgetTotal, budgetSpent, budgetHeld, remainingBudget, percentUsed } = mandate
  const { budgetPeriod: period, periodStart, periodEnd: resets } = mandate
  return {
    ...{ total: budgetTotal, spent: budgetSpent, held: budgetHeld, remaining: remainingBudget },
    ...{ percentUsed, period, periodStart, resets },
  }
}

/** Compares the used part of the budget with the passed part of its period. */
function paceOf({ periodStart, periodEnd, percentUsed }: Mandate, nowMs: number) {
  if (!periodStart || !periodEnd) return null
  const start = Date.parse(periodStart)
  const passed = (nowMs - start) / (Date.parse(periodEnd) - start)
  const percentOfPeriod = Math.floor(Math.min(1, Math.max(0, passed)) * 100)
  return { percentOfPeriod, percentUsed, isAhead: percentUsed > percentOfPeriod }
}

/**
 * Returns null if the amounts are not known: without the scope, or if the API added up some groups
 * in one row, which may contain groups of this agent. The analytics can lag behind the budget, so the
 * result says up to when they count.
 */
async function spentByCategory(
  purser: ToolClient,
  agentId: string,
  { periodStart }: Mandate,
  context: ToolContext,
) {
  const answer = await purser.analytics
    .spend(
      {
        ...{ metric: 'spend', groupBy: 'agent,category', top: GROUPS_MAX },
        ...(periodStart && { from: periodStart }),
      },
      signalOf(context),
    )
    .catch(() => undefined)
  if (!answer || answer.isFolded || answer.data.some(({ isOther }) => isOther)) return null
  const byCategory = answer.data
    .filter(({ group }) => group?.agent === agentId)
    .map(({ group, held, settled, refunded, count }) => ({
      ...{ category: group?.category ?? null, held, settled, refunded, count },
    }))
  return { byCategory, until: answer.asOfAt, lag: answer.isCurrent ? '' : lagText(answer.asOfAt) }
}

function lagText(until: string | null): string {
  const counted = until === null ? 'lags' : `counts up to ${until}`
  return ` byCategory ${counted}, so it lacks the newest spends. The other amounts are current.`
}

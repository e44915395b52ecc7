import { toMoneyText } from '../output/money.ts'
import { plain, toJson } from '../output/plain.ts'
import type { Difference } from './differences.ts'
import { asks, hasChanges, type Plan, type PlanEntry } from './plan.ts'
import type { Step } from './plan-steps.ts'

/** The plan for people. Each line that waits for consent ends with `(asks first)`, unless `--yes`. */
export function toPlanText(plan: Plan, { yes }: { readonly yes?: true } = {}): string {
  const same = plan.entries.filter(({ steps }) => steps.length === 0)
  const changed = plan.entries.filter(({ steps }) => steps.length > 0)
  const blocks = changed.map((entry) => toBlock(entry, !yes).join('\n'))
  const unchanged = same.length > 0 ? [['Unchanged:', ...same.map(toTitle)].join('\n  ')] : []
  if (!hasChanges(plan)) return [...unchanged, 'Nothing to do.'].join('\n')
  return [...blocks, ...unchanged, `Plan ${plan.id}: ${countOf(changed)}.`].join('\n\n')
}

/** The plan as JSON. The steps name the state that they expect. */
export function toPlanJson(plan: Plan): object {
  return {
    plan: plan.id,
    changed: hasChanges(plan),
    mandates: plan.entries.map(({ steps, ...entry }) => ({
      ...entry,
      steps: steps.map((step) => ({ ...step, asks: asks(step) })),
    })),
  }
}

function toBlock(entry: PlanEntry, showsAsking: boolean): string[] {
  return [
    `${toTitle(entry)}   ${entry.file}:${entry.line}`,
    ...entry.differences.map((each) => `    ${toDifferenceText(each)}`),
    ...Object.entries(entry.unnamed).map(([name, value]) => `    = ${name}: ${toValueText(value)}`),
    ...entry.steps.map(
      (step) => `  ${toStepText(step, entry)}${showsAsking && asks(step) ? ' (asks first)' : ''}`,
    ),
  ]
}

function toTitle({ agent, name, mandate }: PlanEntry): string {
  const state = mandate ? `${mandate.id}, ${mandate.status}, version ${mandate.version}` : 'new'
  return `${plain(agent.name)} / ${plain(name)} (${state})`
}

export function toDifferenceText({ field, before, after }: Difference): string {
  if (before === null || before === undefined) return `+ ${field}: ${toValueText(after)}`
  if (after === null) return `- ${field}: ${toValueText(before)}`
  return `~ ${field}: ${toValueText(before)} -> ${toValueText(after)}`
}

function toValueText(value: unknown): string {
  return typeof value === 'string' ? plain(value) : toJson(value)
}

export function toStepText(step: Step, { mandate }: Pick<PlanEntry, 'mandate'>): string {
  switch (step.action) {
    case 'create':
      return 'create the draft'
    case 'update_draft':
      return `change the draft ${step.mandateId}`
    case 'draft_next':
      return `draft version ${(mandate?.version ?? 0) + 1}`
    case 'activate': {
      const draft = step.draft ? `the draft ${step.draft.id}` : 'the draft'
      if (step.expectedVersion === null) return `activate ${draft}`
      return `activate ${draft} as version ${step.expectedVersion + 1}`
    }
    case 'set_budget':
      return `${step.raises ? 'raise' : 'lower'} the budget to ${toMoneyText(step.budgetTotal, mandate?.currency)}`
  }
}

function countOf(changed: readonly PlanEntry[]): string {
  const steps = changed.reduce((sum, entry) => sum + entry.steps.length, 0)
  const mandates = `${changed.length} ${changed.length === 1 ? 'mandate' : 'mandates'}`
  return `${steps} ${steps === 1 ? 'step' : 'steps'} for ${mandates}`
}

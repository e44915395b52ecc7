import type { Mandate, Purser } from '@purser/sdk'
import type { Plan, PlanEntry } from './plan.ts'
import type { ActivateStep, CreateStep, DraftNextStep, Step } from './plan-steps.ts'

const LISTED_MAX = 1_000

/** A step that was carried out, with the mandate or draft after it. */
export interface DoneStep {
  readonly entry: PlanEntry
  readonly step: Step
  readonly mandate: Mandate
}

/**
 * Carries out a plan, step by step. Each step names the state that the plan was made from, so the
 * gateway refuses it if that state has changed. The first failure ends the run: steps that were done
 * stay, and a new plan begins where this one stopped.
 */
export async function applyPlan(
  purser: Purser,
  plan: Plan,
  onDone: (done: DoneStep) => void,
): Promise<void> {
  const ids: (string | undefined)[] = plan.entries.map(({ mandate }) => mandate?.id)
  for (const [index, entry] of plan.entries.entries()) {
    let last: Mandate | undefined
    for (const step of entry.steps) {
      last = await carryOut(purser, entry, step, { last, ids })
      ids[index] ??= last.id
      onDone({ entry, step, mandate: last })
    }
  }
}

interface Progress {
  /** The result of the step before, for the same mandate. */
  readonly last: Mandate | undefined
  /** The ids of the mandates, by their places in the plan. */
  readonly ids: readonly (string | undefined)[]
}

async function carryOut(
  purser: Purser,
  entry: PlanEntry,
  step: Step,
  { last, ids }: Progress,
): Promise<Mandate> {
  switch (step.action) {
    case 'create':
      return create(purser, entry, step, ids)
    case 'update_draft': {
      const { mandateId, change, expectedUpdatedAt } = step
      return purser.mandates.update(mandateId, { ...change, expectedUpdatedAt })
    }
    case 'draft_next':
      return draftNext(purser, entry, step)
    case 'activate':
      return activate(purser, step, last)
    case 'set_budget': {
      const { mandateId, budgetTotal, expectedVersion } = step
      return purser.mandates.updateBudget(mandateId, { budgetTotal, expectedVersion })
    }
  }
}

async function create(
  purser: Purser,
  entry: PlanEntry,
  { input, parentEntry }: CreateStep,
  ids: readonly (string | undefined)[],
): Promise<Mandate> {
  // A new mandate has no version to expect, so this looks once more.
  for (const status of ['active', 'draft'] as const) {
    const listed = purser.mandates.list({ agentId: entry.agent.id, status })
    const same = (await listed.toArray({ limit: LISTED_MAX })).find(
      ({ name, draftOf }) => name === entry.name && draftOf === null,
    )
    if (same) throw outdated(`${entry.name} exists meanwhile: ${same.id} (${status})`)
  }
  const parentMandateId = parentEntry === null ? undefined : ids[parentEntry]
  return purser.mandates.create({
    ...input,
    ...(parentMandateId !== undefined && { parentMandateId }),
  })
}

async function draftNext(
  purser: Purser,
  { mandate }: PlanEntry,
  { input }: DraftNextStep,
): Promise<Mandate> {
  const draft = await purser.mandates.create(input)
  const { draftOfVersion } = draft
  if (mandate && draftOfVersion !== mandate.version) {
    throw outdated(
      `${mandate.id} has version ${draftOfVersion} now, and the plan was made for version ${mandate.version}. The draft ${draft.id} was made and is not active`,
    )
  }
  return draft
}

async function activate(
  purser: Purser,
  { draft, expectedVersion }: ActivateStep,
  last: Mandate | undefined,
): Promise<Mandate> {
  const activated = draft ?? last
  if (!activated) throw new Error('A plan activates a draft that it does not have.')
  return purser.mandates.activate(activated.id, {
    expectedUpdatedAt: activated.updatedAt,
    ...(expectedVersion !== null && { expectedVersion }),
  })
}

/** The state is no longer the one that the plan was made from. */
function outdated(reason: string): Error {
  return new Error(`${reason}. Run the command again to see a new plan.`)
}

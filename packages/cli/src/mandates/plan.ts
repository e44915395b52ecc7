import { createHash } from 'node:crypto'
import type { Mandate } from '@purser/sdk'
import type { Fields } from './checker.ts'
import type { Difference } from './differences.ts'
import type { FileMandate } from './file-mandate.ts'
import type { FoundMandate, Snapshot } from './find-mandates.ts'
import type { FileMistake } from './mistake.ts'
import { orderByParents } from './order-by-parents.ts'
import { type Planned, planMandate } from './plan-mandate.ts'
import type { PlanOptions, Step } from './plan-steps.ts'

/** The changes to one mandate. */
export interface PlanEntry {
  readonly file: string
  readonly line: number
  readonly agent: { readonly id: string; readonly name: string }
  readonly name: string
  /** The mandate as it was when the plan was made. Null if there is none yet. */
  readonly mandate: PlannedMandate | null
  readonly differences: readonly Difference[]
  /** The terms that come into force with a draft, and that the file does not name. */
  readonly unnamed: Fields
  /** In the order in which they are carried out. Empty if nothing is to be done. */
  readonly steps: readonly Step[]
}

type PlannedMandate = Pick<Mandate, 'id' | 'status' | 'version' | 'updatedAt' | 'currency'>

/** Brings an organization to the state that files describe. It revokes and deletes nothing. */
export interface Plan {
  /** A hash of everything else. The same plan has the same id. */
  readonly id: string
  /** Parents come before their children. */
  readonly entries: readonly PlanEntry[]
}

export interface MadePlan {
  readonly plan: Plan
  /** A plan with mistakes must not be carried out. */
  readonly mistakes: readonly FileMistake[]
}

export function makePlan(
  found: readonly FoundMandate[],
  snapshot: Snapshot,
  options: PlanOptions,
): MadePlan {
  const { ordered, mistakes } = orderByParents(found)
  const planned = ordered.map((each) => {
    const index = each.parent?.mandate
      ? -1
      : ordered.findIndex(({ file }) => file === each.parent?.file)
    return toPlanned(each, snapshot, options, index === -1 ? null : index)
  })
  const entries = planned.map(({ entry }) => entry)
  const conflicts = options.activate ? findRivals(ordered, planned, snapshot) : []
  return {
    plan: { id: hashOf(entries), entries },
    mistakes: [...mistakes, ...planned.flatMap((each) => each.mistakes), ...conflicts],
  }
}

interface PlannedEntry {
  readonly entry: PlanEntry
  readonly mistakes: readonly FileMistake[]
}

function toPlanned(
  found: FoundMandate,
  snapshot: Snapshot,
  options: PlanOptions,
  parentEntry: number | null,
): PlannedEntry {
  const { file, agent, mandate } = found
  const {
    steps,
    differences,
    mistakes,
    unnamed = {},
  }: Planned = planMandate(found, snapshot, options, parentEntry)
  const entry: PlanEntry = {
    file: file.file,
    line: file.line,
    agent: { id: agent.id, name: agent.name },
    name: file.name,
    mandate: mandate ? toPlannedMandate(mandate) : null,
    differences,
    unnamed,
    steps,
  }
  return { entry, mistakes }
}

function toPlannedMandate({ id, status, version, updatedAt, currency }: Mandate): PlannedMandate {
  return { id, status, version, updatedAt, currency }
}

/** An agent has one active mandate at most, and a plan revokes none to make room. */
function findRivals(
  ordered: readonly FoundMandate[],
  planned: readonly PlannedEntry[],
  { mandates }: Snapshot,
): FileMistake[] {
  const taken = new Map<string, string>()
  for (const { agentId, status, name, id } of mandates) {
    if (status === 'active') taken.set(agentId, `the active mandate ${id} (${name})`)
  }
  return ordered.flatMap(({ file, agent, mandate }, index) => {
    const activates = planned[index]?.entry.steps.some(({ action }) => action === 'activate')
    if (!activates || mandate?.status === 'active') return []
    const rival = taken.get(agent.id)
    taken.set(agent.id, `the mandate of ${file.file}:${file.line}`)
    if (rival === undefined) return []
    const message = `cannot be activated: the agent already has ${rival}. Revoke that one first, or only make a draft with purser mandates draft`
    return [mistakeAt(file, message)]
  })
}

function mistakeAt({ file, lineOf }: FileMandate, message: string): FileMistake {
  return { file, line: lineOf(['name']), field: 'name', message }
}

function hashOf(entries: readonly PlanEntry[]): string {
  // The place of the files has no meaning: a plan made on a second machine is the same plan.
  const compared = entries.map(({ file: _, line: __, ...rest }) => rest)
  return createHash('sha256').update(JSON.stringify(compared)).digest('hex').slice(0, 16)
}

/** Whether a person must agree before the plan is carried out. */
export function needsConsent({ entries }: Plan): boolean {
  return entries.some(({ steps }) => steps.some(asks))
}

export function asks(step: Step): boolean {
  return step.action === 'activate' || (step.action === 'set_budget' && step.raises)
}

export function hasChanges({ entries }: Plan): boolean {
  return entries.some(({ steps }) => steps.length > 0)
}

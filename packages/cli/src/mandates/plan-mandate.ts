import { type Mandate, type MandateInput, money } from '@purser/sdk'
import type { Fields } from './checker.ts'
import { type Difference, FIXED_TERMS, findDifferences, termOf } from './differences.ts'
import type { FileTerms } from './file-mandate.ts'
import type { FoundMandate, Snapshot } from './find-mandates.ts'
import type { FileMistake, PathStep } from './mistake.ts'
import type { PlanOptions, Step } from './plan-steps.ts'

/** The steps that bring one mandate to the state of its file. */
export interface Planned {
  readonly steps: readonly Step[]
  readonly differences: readonly Difference[]
  readonly mistakes: readonly FileMistake[]
  readonly unnamed?: Fields
}

/** `parentEntry` is the place of the parent in the plan. Null if the plan does not make it. */
export function planMandate(
  found: FoundMandate,
  snapshot: Snapshot,
  options: PlanOptions,
  parentEntry: number | null,
): Planned {
  const { mandate } = found
  const planned = planTerms(found, snapshot, options, parentEntry)
  const activates = planned.steps.some(({ action }) => action === 'activate')
  const parent = [
    ...(mandate ? findParentMistake(found, mandate) : []),
    ...(activates && mandate?.status !== 'active' ? findParentDraft(found) : []),
  ]
  return { ...planned, mistakes: [...parent, ...planned.mistakes] }
}

function planTerms(
  found: FoundMandate,
  snapshot: Snapshot,
  options: PlanOptions,
  parentEntry: number | null,
): Planned {
  const { mandate } = found
  if (!mandate) return planNew(found, snapshot, options, parentEntry)
  if (mandate.status === 'active') return planActive(found, mandate, snapshot, options)
  return planDraft(found, mandate, snapshot, options)
}

function planNew(
  found: FoundMandate,
  { mandates }: Snapshot,
  { activate }: PlanOptions,
  parentEntry: number | null,
): Planned {
  const { file, agent, parent } = found
  const { budgetTotal } = file.terms
  const mistakes: FileMistake[] = []
  if (budgetTotal === undefined) {
    mistakes.push(mistakeAt(found, ['budgetTotal'], 'is required for a new mandate'))
  }
  mistakes.push(...findEnded(found, mandates))
  const parentMandateId = parent?.mandate?.id
  const input: MandateInput = {
    agentId: agent.id,
    name: file.name,
    ...file.terms,
    ...(parentMandateId !== undefined && { parentMandateId }),
  }
  const create: Step = { action: 'create', input, parentEntry }
  const steps: Step[] = activate
    ? [create, { action: 'activate', draft: null, expectedVersion: null }]
    : [create]
  const differences = Object.entries(file.terms).map(([field, after]) => ({
    field,
    before: null,
    after: after as unknown,
  }))
  return { steps, differences, mistakes }
}

/** A draft is changed in place, because no spend is judged by it. */
function planDraft(
  found: FoundMandate,
  mandate: Mandate,
  { mandates }: Snapshot,
  { activate }: PlanOptions,
): Planned {
  const { terms } = found.file
  const differences = findDifferences(terms, mandate, mandates)
  const { id, updatedAt } = mandate
  const change = pickTerms(terms, differences)
  const steps: Step[] = []
  if (differences.length > 0) {
    steps.push({ action: 'update_draft', mandateId: id, expectedUpdatedAt: updatedAt, change })
  }
  if (activate) {
    const draft = differences.length > 0 ? null : { id, updatedAt }
    steps.push({ action: 'activate', draft, expectedVersion: null })
  }
  if (!activate) return { steps, differences, mistakes: [] }
  return {
    ...{ steps, differences, mistakes: findEnded(found, mandates) },
    unnamed: findUnnamed(terms, mandate),
  }
}

/** The terms of a draft that the file does not name: they come into force with it. */
function findUnnamed(terms: FileTerms, mandate: Mandate): Fields {
  const { budgetPeriod, currency, timezone, validFrom } = mandate
  const all = { ...toTerms(mandate), budgetPeriod, currency, timezone, validFrom }
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => !(name in terms) && value !== null),
  )
}

/** The rules of an active mandate change by a next version, its budget alone at once. */
function planActive(
  found: FoundMandate,
  mandate: Mandate,
  snapshot: Snapshot,
  { activate }: PlanOptions,
): Planned {
  const { terms } = found.file
  const differences = findDifferences(terms, mandate, snapshot.mandates)
  const fixed = differences.filter((each) => FIXED_TERMS.includes(termOf(each)))
  const mistakes = fixed.map(({ field, before }) => {
    const message = `cannot change: ${mandate.id} is active and keeps ${before ?? 'none'}. Use a different name for a new mandate`
    return mistakeAt(found, [field], message)
  })
  if (differences.length === 0 || mistakes.length > 0) return { steps: [], differences, mistakes }
  const { id, version, budgetTotal: before } = mandate
  const isBudgetOnly = differences.every((each) => termOf(each) === 'budgetTotal')
  if (activate && isBudgetOnly && terms.budgetTotal !== undefined) {
    const { budgetTotal } = terms
    const raises = money(budgetTotal).isMoreThan(before)
    const step: Step = {
      action: 'set_budget',
      mandateId: id,
      expectedVersion: version,
      budgetTotal,
      raises,
    }
    return { steps: [step], differences, mistakes }
  }
  const draft = findDraftOfNext(terms, mandate, snapshot)
  const input: MandateInput = { draftOf: id, ...pickTerms(terms, differences) }
  const steps: Step[] = draft ? [] : [{ action: 'draft_next', mandateId: id, input }]
  if (activate) steps.push({ action: 'activate', draft, expectedVersion: version })
  return { steps, differences, mistakes }
}

/** A draft that an earlier run or a person has made, if it says the same and is up to date. */
function findDraftOfNext(terms: FileTerms, mandate: Mandate, { mandates }: Snapshot) {
  const draft = mandates.find(
    (each) =>
      each.draftOf === mandate.id &&
      each.draftOfVersion === mandate.version &&
      each.name === mandate.name &&
      findDifferences({ ...toTerms(mandate), ...terms }, each, mandates).length === 0,
  )
  return draft ? { id: draft.id, updatedAt: draft.updatedAt } : null
}

/** The terms that a next version can change. A term that the file does not name must stay. */
function toTerms(mandate: Mandate): FileTerms {
  const { budgetTotal, validUntil, warningPercents, discloseLimits, rules } = mandate
  return { budgetTotal, validUntil, warningPercents, discloseLimits, rules }
}

/** Only the terms that differ: a change names nothing that stays. */
function pickTerms(terms: FileTerms, differences: readonly Difference[]): FileTerms {
  const changed = new Set(differences.map(termOf))
  return Object.fromEntries(Object.entries(terms).filter(([name]) => changed.has(name)))
}

/**
 * A file does not undo the end of a mandate: a run in CI must not bring back a mandate that a person
 * stopped. A mandate that expired may be followed by one whose end the file names. A draft that is
 * younger than the end was made on purpose.
 */
function findEnded(
  { file, agent, mandate }: FoundMandate,
  mandates: readonly Mandate[],
): FileMistake[] {
  const names = mandates.filter(({ agentId, name }) => agentId === agent.id && name === file.name)
  const ended = names.find(({ status, revokedAt, validUntil }) => {
    const isEnd = status === 'revoked' || (status === 'expired' && !file.terms.validUntil)
    const at = status === 'revoked' ? revokedAt : validUntil
    return isEnd && (!mandate || (at ?? '') > mandate.createdAt)
  })
  if (!ended) return []
  const { id, status, revokedAt, validUntil } = ended
  const how =
    status === 'revoked'
      ? `was revoked at ${revokedAt}. A file does not undo a revocation`
      : `expired at ${validUntil}. A file that names no validUntil does not renew it`
  const message = `belongs to ${id}, which ${how}: choose a different name, or archive that mandate with purser mandates delete`
  return [{ file: file.file, line: file.lineOf(['name']), field: 'name', message }]
}

function findParentMistake(found: FoundMandate, mandate: Mandate): FileMistake[] {
  const { parent } = found
  if (!parent || (parent.mandate && parent.mandate.id === mandate.parentMandateId)) return []
  const has = mandate.parentMandateId ?? 'none'
  const message = `cannot change: ${mandate.id} keeps its parent (${has}). Use a different name for a new mandate`
  return [mistakeAt(found, ['parent'], message)]
}

/** A file of the same run activates its parent first. */
function findParentDraft(found: FoundMandate): FileMistake[] {
  const { mandate, file } = found.parent ?? {}
  if (!mandate || file || mandate.status !== 'draft') return []
  const message = `is the draft ${mandate.id}. A child mandate can be activated only while its parent is active`
  return [mistakeAt(found, ['parent'], message)]
}

function mistakeAt(
  { file: { file, lineOf } }: FoundMandate,
  path: readonly PathStep[],
  message: string,
): FileMistake {
  return { file, line: lineOf(path), field: path.join('.'), message }
}

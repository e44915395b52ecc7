import type { MandateChange, MandateInput } from '@purser/sdk'

/** Makes the draft of a new mandate. */
export interface CreateStep {
  readonly action: 'create'
  /** Without the parent, if this plan makes it. */
  readonly input: MandateInput
  /** The parent, if this plan makes it: its place among the entries. */
  readonly parentEntry: number | null
}

/** Changes a draft that is not in force. */
export interface UpdateDraftStep {
  readonly action: 'update_draft'
  readonly mandateId: string
  readonly expectedUpdatedAt: string
  readonly change: MandateChange
}

/** Makes a draft of the next version of an active mandate. */
export interface DraftNextStep {
  readonly action: 'draft_next'
  readonly mandateId: string
  readonly input: MandateInput
}

/** Puts a draft in force. */
export interface ActivateStep {
  readonly action: 'activate'
  /** Null: the draft of the step before. */
  readonly draft: { readonly id: string; readonly updatedAt: string } | null
  /** For a next version: the version of the active mandate that it replaces. */
  readonly expectedVersion: number | null
}

/** Changes the budget of an active mandate. */
export interface SetBudgetStep {
  readonly action: 'set_budget'
  readonly mandateId: string
  readonly expectedVersion: number
  readonly budgetTotal: number
  readonly raises: boolean
}

export type Step = CreateStep | UpdateDraftStep | DraftNextStep | ActivateStep | SetBudgetStep

export interface PlanOptions {
  /** Whether to activate drafts and change budgets in force, or only to make drafts. */
  readonly activate: boolean
}

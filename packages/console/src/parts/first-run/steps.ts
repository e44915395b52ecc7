import type { Step } from '../../ui/stepper.tsx'
import { formatMoney } from '../../words/money.ts'

/** Things that exist. The step that is due follows from them, so a reload lands on the same. */
export interface FirstRunFacts {
  readonly organization: {
    readonly name: string
    readonly timezone: string
    readonly currency: string
  }
  /** The name of a key that a program has or had; null: none. */
  readonly key: string | null
  readonly agent: string | null
  readonly mandate: {
    readonly budgetTotal: number
    readonly currency: string
    readonly budgetPeriod: string
  } | null
  readonly hasDraft: boolean
  readonly hasSpend: boolean
  readonly hasWebhook: boolean
  /** Null if the member may not know. */
  readonly people: number | null
}

export type StepId = 'organization' | 'key' | 'agent' | 'mandate' | 'spend' | 'webhook' | 'people'

export interface FirstRunStep extends Step {
  readonly id: StepId
}

/** The steps up to the first decision. The others can be done at any time. */
export const FIRST_STEPS: readonly StepId[] = ['organization', 'key', 'agent', 'mandate', 'spend']

const PER: Readonly<Record<string, string>> = {
  daily: ' a day',
  weekly: ' a week',
  monthly: ' a month',
  yearly: ' a year',
}

interface Fact {
  readonly id: StepId
  readonly title: string
  readonly note: string
  readonly isDone: boolean
}

export function firstRunSteps(facts: FirstRunFacts): FirstRunStep[] {
  const { organization, key, agent, mandate, hasDraft, hasSpend, hasWebhook, people } = facts
  const steps: readonly Fact[] = [
    {
      ...{ id: 'organization', title: 'You and your organization', isDone: true },
      note: `${organization.name}, ${organization.timezone}, ${organization.currency}`,
    },
    {
      ...{ id: 'key', title: 'A key for your program', note: key ?? 'Shown once' },
      // A spend without a key came from a page of the console, so the first run needs no key.
      isDone: key !== null || hasSpend,
    },
    {
      ...{ id: 'agent', title: 'An agent', isDone: agent !== null },
      note: agent ?? 'The program that spends',
    },
    {
      ...{ id: 'mandate', title: 'A mandate', isDone: mandate !== null },
      note: mandate
        ? `${formatMoney(mandate.budgetTotal, mandate.currency)}${PER[mandate.budgetPeriod] ?? ''}, active`
        : hasDraft
          ? 'A draft, not active yet'
          : 'What the agent may spend',
    },
    {
      ...{ id: 'spend', title: 'Send the first spend', isDone: hasSpend },
      note: hasSpend ? 'Decided' : 'Waiting for your call',
    },
    {
      ...{ id: 'webhook', title: 'Get events by webhook', isDone: hasWebhook },
      note: hasWebhook ? 'Your server gets them' : 'or follow events without a server',
    },
    {
      ...{ id: 'people', title: 'Bring a second person', isDone: people === null || people > 1 },
      note: 'so that someone else can approve',
    },
  ]
  const due = steps.find((step) => !step.isDone)?.id
  return steps.map(({ id, title, note, isDone }) => ({
    ...{ id, title, note },
    state: isDone ? 'done' : id === due ? 'now' : 'next',
  }))
}

/** The step that is due; undefined when all are done. */
export function dueStep(steps: readonly FirstRunStep[]): StepId | undefined {
  return steps.find((step) => step.state === 'now')?.id
}

/** Why a second member is of use. Only four eyes makes one necessary. */
export function peopleSentence(requiresFourEyes: boolean): string {
  return requiresFourEyes
    ? 'Four eyes is on, so a second person must approve the requests that you cause.'
    : 'With a second person, someone else can approve.'
}

/** The open steps after the first decision. */
export function laterSteps(steps: readonly FirstRunStep[]): readonly FirstRunStep[] {
  return steps.filter(({ id, state }) => !FIRST_STEPS.includes(id) && state !== 'done')
}

/** "4 of 7 done, about a minute left". */
export function progressSentence(steps: readonly FirstRunStep[]): string {
  const done = steps.filter((step) => step.state === 'done').length
  const left = steps.filter(({ id, state }) => FIRST_STEPS.includes(id) && state !== 'done').length
  const time = left === 0 ? '' : left > 2 ? ', about two minutes left' : ', about a minute left'
  return `${done} of ${steps.length} done${time}`
}

import type { CreatedApiKey } from '@purser/sdk'
import { dueStep } from '../../parts/first-run/steps.ts'
import type { FirstRun } from '../../parts/first-run/use-first-run.ts'
import { AgentStep } from './agent-step.tsx'
import { DraftStep } from './draft-step.tsx'
import { KeyStep } from './key-step.tsx'
import { MandateStep } from './mandate-step.tsx'
import { SpendStep } from './spend-step.tsx'

interface DueStepProps {
  readonly run: FirstRun
  readonly apiKey: string | undefined
  readonly onKey: (created: CreatedApiKey) => void
}

/** The step that is due. After the first spend, its decision stays in view. */
export function DueStep({ run, apiKey, onKey }: DueStepProps) {
  const { agent, mandate, draft, organization } = run
  const due = dueStep(run.steps)
  if (due === 'key') return <KeyStep agent={agent} onCreated={onKey} />
  if (!agent) return <AgentStep />
  if (mandate) return <SpendStep {...{ agent, mandate, apiKey, steps: run.steps }} />
  if (draft) return <DraftStep draft={draft} />
  return <MandateStep agent={agent} currency={organization.currency} />
}

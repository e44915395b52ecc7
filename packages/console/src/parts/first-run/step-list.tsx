import { Stepper } from '../../ui/stepper.tsx'
import { StepLink } from './step-link.tsx'
import type { FirstRunStep } from './steps.ts'

/** All steps of the first run. Those that are done on a page of Settings lead there. */
export function StepList({ steps }: { readonly steps: readonly FirstRunStep[] }) {
  return (
    <Stepper
      label="Getting started"
      steps={steps.map((step) => ({
        ...step,
        title: step.state === 'done' ? step.title : <StepLink id={step.id}>{step.title}</StepLink>,
      }))}
    />
  )
}

import type { Evaluation, Rule, Simulation } from '@purser/sdk'
import type { ReactNode } from 'react'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { verdictOf, verdictSentence } from '../../words/verdict.ts'
import { Verdict } from '../verdict.tsx'
import { DecisionRules } from './decision-rules.tsx'
import { WouldPass } from './would-pass.tsx'

interface WhyDecisionProps {
  /** The answer to an evaluation or a simulation. */
  readonly evaluation: Evaluation | Simulation
  readonly currency: string | null
  /** Nothing was decided: the words say "would". */
  readonly isTested?: boolean
  /** The rules that were judged, which make the words of limits exact. */
  readonly definitions?: readonly Rule[] | undefined
  /** The level of the verdict's heading. */
  readonly as?: 'h2' | 'h3' | 'p'
  /** At the end of the heading of the rules, such as a link to the mandate. */
  readonly action?: ReactNode
  /** Below the verdict, such as the answer under the active version. */
  readonly children?: ReactNode
}

/** Why a spend is, or would be, approved or rejected: the sentence, the advice, the rules. */
export function WhyDecision(props: WhyDecisionProps) {
  const { evaluation, currency, isTested = false, definitions, as = 'h2', action } = props
  const { decision, status, amount, vendor, remainingBudget } = evaluation
  const { evaluationDetails: details } = evaluation
  const { code, message } = details
  const sentence = verdictSentence({
    ...{ decision, code, status, amount, currency, vendor, message },
    ...(decision === 'approved' ? { remainingBudget } : {}),
  })
  return (
    <div>
      <DrawerSection>
        <Verdict
          kind={verdictOf(decision, code, status)}
          sentence={sentence}
          as={as}
          isTested={isTested}
        />
        <div className="mt-3.5 flex flex-col gap-2 empty:hidden">
          {decision === 'rejected' ? (
            <WouldPass {...{ details, vendor, amount, currency }} />
          ) : null}
          {props.children}
        </div>
      </DrawerSection>
      <DecisionRules {...{ details, currency, definitions, action }} />
    </div>
  )
}

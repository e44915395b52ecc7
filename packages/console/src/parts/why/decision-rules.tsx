import type { EvaluationDetails, Rule } from '@purser/sdk'
import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { gateSentence } from '../../words/next-options.ts'
import { countOf } from '../../words/text.ts'
import { RuleFindings } from '../rule-findings.tsx'

interface DecisionRulesProps {
  readonly details: EvaluationDetails
  readonly currency: string | null
  readonly definitions?: readonly Rule[] | undefined
  /** At the end of the heading: the mandate and its version. */
  readonly action?: ReactNode
  /** Below the rules: whether the version is still active. */
  readonly children?: ReactNode
}

/** Every rule of the decision with its result, or the reason why no rule was checked. */
export function DecisionRules(props: DecisionRulesProps) {
  const { details, currency, definitions, action, children } = props
  const { rules } = details
  return (
    <DrawerSection title={rules.length === 0 ? 'Rules' : titleOf(details)} action={action}>
      {rules.length === 0 ? (
        <p className="flex items-start gap-2.5 text-ink-2">
          <Ban size={16} strokeWidth={1.75} className="mt-0.5 flex-none text-ink-3" aria-hidden />
          {gateSentence(details.code) ?? 'No rule was checked.'}
        </p>
      ) : (
        <RuleFindings
          rules={rules}
          currency={currency}
          definitions={definitions}
          at={details.evaluatedAt}
        />
      )}
      {children}
    </DrawerSection>
  )
}

/** "Rules, 1 of 6 failed", and otherwise the most important outcome. */
function titleOf({ rules }: EvaluationDetails): string {
  const count = (outcome: string) => rules.filter((one) => one.outcome === outcome).length
  const failed = count('fail')
  const asked = count('escalate')
  const flagged = count('flag')
  if (failed > 0) return `Rules, ${failed} of ${rules.length} failed`
  if (asked > 0) return `Rules, ${asked} of ${rules.length} need${asked === 1 ? 's' : ''} approval`
  if (flagged > 0) return `Rules, ${flagged} of ${rules.length} flagged`
  return `${countOf(rules.length, 'rule')}, all passed`
}

import type { EvaluationDetails } from '@purser/sdk'
import { ArrowRight, CircleSlash2 } from 'lucide-react'
import { Notice } from '../../ui/notice.tsx'
import { findingName } from '../../words/findings.ts'
import { tidySentence } from '../../words/money.ts'
import { gateSentence, passAdvice } from '../../words/next-options.ts'
import { useNow, useTimezone } from '../when.tsx'

interface WouldPassProps {
  readonly details: EvaluationDetails
  readonly vendor: string
  readonly amount: number
  readonly currency: string | null
}

/** After a rejection: the amount, the person or the time that lets the spend pass. */
export function WouldPass({ details, vendor, amount, currency }: WouldPassProps) {
  const timezone = useTimezone()
  const now = useNow()
  const advice = passAdvice({
    ...{ code: details.code, next: details.next, vendor, amount, currency, timezone },
    evaluatedAt: new Date(details.evaluatedAt),
    now: new Date(now),
    reason: reasonOf(details, currency),
  })
  const Icon = advice.isPossible ? ArrowRight : CircleSlash2
  return (
    <Notice
      tone={advice.isPossible ? 'accent' : undefined}
      icon={<Icon size={16} strokeWidth={1.75} aria-hidden />}
      title={advice.title}
    >
      {advice.text}
    </Notice>
  )
}

function reasonOf(details: EvaluationDetails, currency: string | null): string {
  const gate = gateSentence(details.code)
  if (gate) return gate
  const first = details.rules.find(({ id }) => id === details.firstFailure)
  return first ? `${findingName(first)}.` : tidySentence(details.message, currency)
}

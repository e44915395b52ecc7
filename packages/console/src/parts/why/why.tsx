import type { Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Archive, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { queries } from '../../data/queries.ts'
import { Link } from '../../router/link.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatDay } from '../../words/time.ts'
import { verdictOf, verdictSentence } from '../../words/verdict.ts'
import { Verdict } from '../verdict.tsx'
import { useTimezone } from '../when.tsx'
import { DecisionRules } from './decision-rules.tsx'
import { MandateLink, useDecidedMandate, VersionLine } from './mandate-line.tsx'
import { withWholeDetails } from './whole-details.ts'
import { WhyDetails } from './why-details.tsx'
import { WhyTimeline } from './why-timeline.tsx'
import { WouldPass } from './would-pass.tsx'

interface WhyProps {
  /** A stored transaction, with its details. */
  readonly transaction: Transaction
  /** Below the sentence, such as the result of a new simulation. */
  readonly children?: ReactNode
  /** The level of the verdict's heading. */
  readonly as?: 'h2' | 'h3' | 'p'
}

/** Why a spend was approved or rejected: the sentence, advice, rules, timeline and details. */
export function Why({ transaction: stored, children, as = 'h3' }: WhyProps) {
  const transaction = withWholeDetails(stored)
  const { decision, status, code, amount, vendor, currency } = transaction
  const { evaluationDetails: details, remainingBudget, refundedAmount, settledAmount } = transaction
  const { definitions } = useDecidedMandate(transaction)
  return (
    <div>
      <DrawerSection>
        <Verdict
          as={as}
          kind={verdictOf(decision, code, status)}
          sentence={verdictSentence({
            ...{ decision, code, status, amount, currency, vendor },
            ...{ remainingBudget, refundedAmount, settledAmount },
            message: details?.message || null,
          })}
        />
        <div className="mt-3.5 flex flex-col gap-2 empty:hidden">
          <RemovedNotice transaction={transaction} />
          <ApprovalNotice transaction={transaction} />
          {details?.next && decision === 'rejected' ? (
            <WouldPass {...{ details, vendor, amount, currency }} />
          ) : null}
          {children}
        </div>
      </DrawerSection>
      {details ? (
        <DecisionRules
          {...{ details, currency, definitions }}
          action={<MandateLink transaction={transaction} />}
        >
          <VersionLine transaction={transaction} />
        </DecisionRules>
      ) : null}
      <WhyTimeline transaction={transaction} />
      <WhyDetails transaction={transaction} />
    </div>
  )
}

function RemovedNotice({ transaction: { detailsRemovedAt } }: WhyProps) {
  const timezone = useTimezone()
  if (detailsRemovedAt === null) return null
  const at = new Date(detailsRemovedAt)
  // The date is the proof of a rule, so it always has its year.
  const day = formatDay(at, timezone, new Date(0))
  return (
    <Notice icon={<Archive size={16} strokeWidth={1.75} aria-hidden />}>
      Your retention rule removed the details on {day}. The decision itself stays.
    </Notice>
  )
}

/** Links to a pending approval. The stored decision has its state of then, not of now. */
function ApprovalNotice({ transaction: { approvalId, code } }: WhyProps) {
  const isAsked = approvalId !== null && code === 'approval_required'
  const { data: approval } = useQuery({ ...queries.approval(approvalId ?? ''), enabled: isAsked })
  if (approval?.status !== 'pending') return null
  return (
    <Notice tone="ask" icon={<UserRound size={16} strokeWidth={1.75} aria-hidden />}>
      A person can approve this spend.{' '}
      <Link to="/approvals/$id" params={{ id: approval.id }}>
        Open the approval
      </Link>
    </Notice>
  )
}

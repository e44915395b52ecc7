import type { Approval } from '@purser/sdk'
import { ArrowLeft } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isNotFound } from '../../data/query-client.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Link } from '../../router/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CaseFacts } from './case-facts.tsx'
import { CaseHead } from './case-head.tsx'
import { DecideBar } from './decide-bar.tsx'
import { DecidedNotice } from './decided-notice.tsx'
import { useIsWide } from './panes.tsx'
import { useWatchedApproval } from './use-watched-approval.ts'

interface ApprovalCaseProps {
  readonly id: string
  /** The request to look at after this one. */
  readonly next?: Approval | undefined
  readonly search: Readonly<Record<string, string>>
}

/** One request with everything that a person needs to decide it. */
export function ApprovalCase({ id, next, search }: ApprovalCaseProps) {
  const { data: approval, error, refetch } = useWatchedApproval(id)
  if (approval) return <Case key={id} approval={approval} next={next} search={search} />
  return (
    <section aria-label="Request" className="p-4 tablet:p-7">
      <BackLink search={search} />
      {isNotFound(error) ? (
        <Notice title="There is no such approval.">
          The address may be mistyped, or it belongs to a different organization.
        </Notice>
      ) : error ? (
        <ErrorNotice
          title="The request could not be loaded."
          error={asPurserError(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Skeleton rows={4} />
          <Skeleton height={280} shape="block" />
        </>
      )}
    </section>
  )
}

interface CaseProps extends Omit<ApprovalCaseProps, 'id'> {
  readonly approval: Approval
}

function Case({ approval, next, search }: CaseProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isWide = useIsWide()
  // The amount that a yes would allow. The cards show its effect.
  const [allowed, setAllowed] = useState(approval.amount)
  const [isLate, setLate] = useState(false)
  const showLate = useCallback(() => setLate(true), [])
  useEffect(() => {
    // On a phone the list is gone, and with it the link that had the focus.
    if (!isWide) heading.current?.focus()
  }, [isWide])
  return (
    <section
      aria-labelledby="approval-title"
      className="flex min-w-0 flex-col tablet:min-h-0 tablet:overflow-hidden"
    >
      <div className="@container flex-1 px-4 pt-4 pb-6 tablet:overflow-y-auto tablet:px-7 tablet:pt-5">
        <div className="max-w-240">
          <BackLink search={search} />
          <CaseHead approval={approval} headingRef={heading} />
          <DecidedNotice approval={approval} isLate={isLate} next={next} search={search} />
          <CaseFacts approval={approval} allowed={allowed} />
        </div>
      </div>
      {approval.status === 'pending' ? (
        <DecideBar approval={approval} allowed={allowed} onAllowed={setAllowed} onLate={showLate} />
      ) : null}
    </section>
  )
}

function BackLink({ search }: { readonly search: Readonly<Record<string, string>> }) {
  return (
    <Link
      to="/approvals"
      search={search}
      className="-mt-2 mb-1 inline-flex min-h-8 items-center gap-1.5 text-small text-ink-2 tablet:hidden pointer-coarse:min-h-11"
    >
      <ArrowLeft aria-hidden size={14} strokeWidth={1.75} />
      All requests
    </Link>
  )
}

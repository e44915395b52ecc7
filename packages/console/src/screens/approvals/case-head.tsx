import type { Approval } from '@purser/sdk'
import type { RefObject } from 'react'
import { Id } from '../../parts/id.tsx'
import { Quoted, showControls } from '../../parts/quoted.tsx'
import { ApprovalBadge } from '../../parts/status-badge.tsx'
import { formatAmount } from '../../words/money.ts'
import { Countdown } from './countdown.tsx'

interface CaseHeadProps {
  readonly approval: Approval
  readonly headingRef: RefObject<HTMLHeadingElement | null>
}

/** The question in one sentence, and the agent's words as a quotation. */
export function CaseHead({ approval, headingRef }: CaseHeadProps) {
  const { id, status, expiresAt, vendor, amount, currency, agentName, reason, reference } = approval
  const isOpen = status === 'pending'
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <ApprovalBadge status={status} />
        {isOpen ? <Countdown expiresAt={expiresAt} withTime /> : null}
        <span className="ml-auto flex items-center gap-3 max-tablet:hidden" data-print="none">
          <Id value={id} />
        </span>
      </div>
      <h2
        className="text-[1.125rem] leading-6 tracking-tight text-balance outline-none tablet:text-[1.375rem] tablet:leading-7.5"
        id="approval-title"
        ref={headingRef}
        tabIndex={-1}
      >
        <bdi>{agentName ?? 'A deleted agent'}</bdi> {isOpen ? 'wants' : 'wanted'} to spend{' '}
        <b className="whitespace-nowrap">
          {formatAmount(amount, currency)}
          <span className="ml-1.25 text-small font-regular text-ink-3">{currency}</span>
        </b>{' '}
        at{' '}
        <b className="[overflow-wrap:anywhere]">
          <bdi>{vendor}</bdi>
        </b>
      </h2>
      <div className="mt-3.5 mb-4.5">
        {reason === null ? (
          <p className="text-ink-3">
            The agent gave no reason.
            {reference === null ? null : (
              <>
                {' '}
                Reference <bdi>{showControls(reference)}</bdi>
              </>
            )}
          </p>
        ) : (
          <Quoted
            text={reason}
            {...(reference === null ? {} : { note: `reference ${showControls(reference)}` })}
          />
        )}
      </div>
    </>
  )
}

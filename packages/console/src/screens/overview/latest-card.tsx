import type { ListedTransaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../data/queries.ts'
import { useLiveState } from '../../data/stream/use-live.ts'
import { Amount } from '../../parts/amount.tsx'
import { TransactionBadge } from '../../parts/status-badge.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The newest decisions. New ones wait while the pointer or the focus is in the list. */
export function LatestCard() {
  const { data, isPending, isLoadingError } = useQuery(queries.latestTransactions())
  const [kept, setKept] = useState<readonly ListedTransaction[] | null>(null)
  const isLive = useLiveState().kind === 'live'
  const rows = kept ?? data?.data ?? []
  const keep = () => setKept((before) => before ?? rows)
  return (
    <Card
      aria-label="Latest decisions"
      onBlur={() => setKept(null)}
      onFocus={keep}
      onPointerEnter={keep}
      onPointerLeave={() => setKept(null)}
    >
      <CardHeader
        title="Latest decisions"
        action={
          <span className="flex items-center gap-2" data-print="none">
            <LiveDot state={isLive ? 'live' : 'off'} />
            {isLive ? 'Live' : 'Not live'}
          </span>
        }
      />
      {isPending ? <Skeleton rows={5} shape="table" /> : null}
      {isLoadingError ? (
        <p className="px-3.5 py-8 text-center text-ink-2">The decisions could not be loaded.</p>
      ) : null}
      <ul aria-label="Latest decisions" className="@container">
        {rows.map((one) => (
          <Decision key={one.transactionId} one={one} />
        ))}
      </ul>
    </Card>
  )
}

/** One line with the status before it; in a narrow card, two lines with the status at their end. */
function Decision({ one }: { readonly one: ListedTransaction }) {
  return (
    <li className="grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 border-b border-line px-3.5 py-0.75 leading-4 last:border-b-0 hover:bg-hover @min-[22rem]:grid-cols-[7.75rem_minmax(0,1fr)_auto]">
      <Link
        to="/transactions/$id"
        params={{ id: one.transactionId }}
        className="truncate font-medium text-ink hover:text-accent @min-[22rem]:col-start-2"
      >
        <bdi>{one.vendor}</bdi>
      </Link>
      <span className="text-right @min-[22rem]:col-start-3 @min-[22rem]:row-span-2">
        <Amount value={one.amount} currency={one.currency} struck={one.decision === 'rejected'} />
      </span>
      <span className="truncate text-small text-ink-3 @min-[22rem]:col-start-2">
        <bdi>{one.agentName ?? 'Deleted agent'}</bdi>
      </span>
      <span className="justify-self-end py-0.5 @min-[22rem]:col-start-1 @min-[22rem]:row-span-2 @min-[22rem]:row-start-1 @min-[22rem]:justify-self-start">
        <TransactionBadge status={one.status} code={one.code} />
      </span>
    </li>
  )
}

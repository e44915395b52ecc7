import type { ListedTransaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { queries } from '../../data/queries.ts'
import { useLiveState } from '../../data/stream/use-live.ts'
import { Amount } from '../../parts/amount.tsx'
import { TransactionBadge } from '../../parts/status-badge.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Row, Table, Td } from '../../ui/table.tsx'

/** The newest decisions. New ones wait while the pointer or the focus is in the list. */
export function LatestCard() {
  const { data, isPending } = useQuery(queries.latestTransactions())
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
      <Table caption="Latest decisions" inCard>
        <tbody>
          {rows.map((one) => (
            <Row key={one.transactionId}>
              <Td>
                <TransactionBadge status={one.status} code={one.code} />
              </Td>
              <Td className="w-full max-w-0 leading-4">
                <Link
                  to="/transactions/$id"
                  params={{ id: one.transactionId }}
                  className="block truncate font-medium text-ink hover:text-accent"
                >
                  <bdi>{one.vendor}</bdi>
                </Link>
                <span className="block truncate text-small text-ink-3">
                  <bdi>{one.agentName ?? 'Deleted agent'}</bdi>
                </span>
              </Td>
              <Td align="right">
                <Amount
                  value={one.amount}
                  currency={one.currency}
                  struck={one.decision === 'rejected'}
                />
              </Td>
            </Row>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

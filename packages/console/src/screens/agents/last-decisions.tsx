import type { ListedTransaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { useLiveState } from '../../data/stream/use-live.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Amount } from '../../parts/amount.tsx'
import { PathIcon } from '../../parts/path-icon.tsx'
import { FlaggedBadge, TransactionBadge } from '../../parts/status-badge.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Row, Table, Td, Th } from '../../ui/table.tsx'
import { formatCount } from '../../words/money.ts'
import { codeWord } from '../../words/words.ts'

const SHOWN = 7
/** Nothing was spent in the end. */
const STRUCK = new Set(['rejected', 'voided', 'expired'])

/** The newest decisions of the agent. Events refresh them. */
export function LastDecisions({ agentId }: { readonly agentId: string }) {
  const { data, error, refetch } = useQuery(queries.latestTransactions({ agentId, limit: SHOWN }))
  const live = useLiveState()
  const isLive = live.kind === 'live'
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title="Last decisions"
        note={
          <span className="inline-flex items-center gap-2 text-ink-2">
            <LiveDot state={isLive ? 'live' : 'off'} />
            {isLive ? 'Live' : 'Updates every 15 s'}
          </span>
        }
        action={
          data && data.total > 0 ? (
            <Link to="/transactions" search={{ agent: agentId }}>
              All {formatCount(data.total)}
              {data.totalIsExact ? '' : '+'}
            </Link>
          ) : undefined
        }
      />
      {data ? (
        <Decisions rows={data.data} />
      ) : error ? (
        <CardBody>
          <ErrorNotice
            title="The decisions could not be loaded."
            error={asPurserError(error)}
            onRetry={() => void refetch()}
          />
        </CardBody>
      ) : (
        <Skeleton rows={SHOWN} shape="table" />
      )}
    </Card>
  )
}

function Decisions({ rows }: { readonly rows: readonly ListedTransaction[] }) {
  if (rows.length === 0) {
    return (
      <CardBody className="text-ink-2">
        This agent has not spent yet. <Link to="/connect/{-$tab}">Connect it</Link>
      </CardBody>
    )
  }
  return (
    <Table inCard caption="Last decisions">
      <thead className="max-phone:sr-only">
        <tr>
          <Th className="max-phone:hidden">When</Th>
          <Th>Status</Th>
          <Th>Vendor</Th>
          <Th align="right">Amount</Th>
          <Th className="max-laptop:hidden">Why</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((one) => (
          <Row key={one.transactionId}>
            <Td className="text-ink-3 max-phone:hidden">
              <When at={one.createdAt} />
            </Td>
            <Td>
              <TransactionBadge status={one.status} code={one.code} />
            </Td>
            <Td className="max-w-40 font-medium max-phone:max-w-24">
              <Link
                to="/transactions/$id"
                params={{ id: one.transactionId }}
                className="flex min-w-0 items-center gap-2 text-ink"
              >
                <PathIcon path={one.path} />
                <bdi className="truncate">{one.vendor}</bdi>
              </Link>
            </Td>
            <Td align="right">
              <Amount value={one.amount} currency={one.currency} struck={STRUCK.has(one.status)} />
            </Td>
            <Td className="max-w-44 truncate text-small text-ink-2 max-laptop:hidden">
              {one.decision === 'rejected' ? codeWord(one.code) : null}
              {one.decision !== 'rejected' && one.flags.length > 0 ? <FlaggedBadge /> : null}
            </Td>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}

import type { Approval } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queries } from '../../data/queries.ts'
import { Amount } from '../../parts/amount.tsx'
import { TransactionBadge } from '../../parts/status-badge.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Row, Table, Td } from '../../ui/table.tsx'
import { formatMoney } from '../../words/money.ts'
import { AskingRules } from './asking-rules.tsx'
import { BudgetCard } from './budget-card.tsx'
import { CaseDetails } from './case-details.tsx'
import { BY_PATH, goodFor } from './sentences.ts'

// A request that waits has no history yet.
const CaseHistory = lazy(async () => ({
  default: (await import('./case-history.tsx')).CaseHistory,
}))

interface CaseFactsProps {
  readonly approval: Approval
  /** The amount that a yes would allow. */
  readonly allowed: number
}

/** The facts for and against a yes, in cards. */
export function CaseFacts({ approval, allowed }: CaseFactsProps) {
  const isOpen = approval.status === 'pending'
  return (
    <div className="grid gap-3 @min-[42rem]:grid-cols-2">
      <Card>
        <CardHeader as="h3" title={isOpen ? 'Why approval is needed' : 'Why approval was needed'} />
        <AskingRules approval={approval} />
      </Card>
      {isOpen ? (
        <BudgetCard approval={approval} amount={allowed} />
      ) : (
        <Suspense fallback={<Card />}>
          <CaseHistory approval={approval} />
        </Suspense>
      )}
      <PreviousSpends approval={approval} isWide={!isOpen} />
      {isOpen ? <IfApproved approval={approval} allowed={allowed} /> : null}
      <CaseDetails approval={approval} />
    </div>
  )
}

function IfApproved({ approval, allowed }: CaseFactsProps) {
  const { vendor, category, path, currency } = approval
  return (
    <Card>
      <CardHeader as="h3" title="If you approve" />
      <CardBody className="text-ink-2">
        <p>
          One spend of at most <b className="text-ink">{formatMoney(allowed, currency)}</b> at{' '}
          <b className="text-ink [overflow-wrap:anywhere]">
            <bdi>{vendor}</bdi>
          </b>
          {category === null ? '' : ', in '}
          {category === null ? null : <i>{category}</i>}, {BY_PATH[path]}. Good for{' '}
          <b className="text-ink">{goodFor(approval)}</b>. Every other rule is checked again when
          the agent uses it.
        </p>
      </CardBody>
    </Card>
  )
}

const SHOWN = 3
/** From this multiple of the last amount on, the difference is worth a sentence. */
const MUCH_MORE = 1.5

interface PreviousSpendsProps {
  readonly approval: Approval
  /** Takes the whole row, because no card stands beside it. */
  readonly isWide: boolean
}

function PreviousSpends({ approval, isWide }: PreviousSpendsProps) {
  const { agentId, agentName, vendor, amount, currency, createdAt } = approval
  const { data } = useQuery(
    // Spends up to the request, so that a used approval does not count itself.
    queries.latestTransactions({
      ...{ agentId, vendor, decision: 'approved', limit: SHOWN, to: createdAt },
    }),
  )
  const last = data?.data[0]
  const isComparable = last !== undefined && last.currency === currency && last.amount > 0
  const times = isComparable ? amount / last.amount : 0
  return (
    <Card className={isWide ? '@min-[42rem]:col-span-2' : undefined}>
      <CardHeader
        as="h3"
        title="Previous spends there"
        action={
          data && data.total > 0 ? (
            <Link
              to="/transactions"
              search={{ agent: agentId, vendor, decision: 'approved', to: createdAt }}
            >
              All {data.totalIsExact ? data.total : `${data.total}+`}
            </Link>
          ) : undefined
        }
      />
      {data === undefined ? (
        <Skeleton rows={2} shape="table" />
      ) : data.data.length === 0 ? (
        <CardBody className="text-ink-2">
          <bdi>{agentName ?? 'The agent'}</bdi> has never spent at <bdi>{vendor}</bdi>.
        </CardBody>
      ) : (
        <Table inCard caption={`Previous spends at ${vendor}`}>
          <tbody>
            {data.data.map((one) => (
              <Row key={one.transactionId}>
                <Td className="text-ink-3">
                  <Link
                    to="/transactions/$id"
                    params={{ id: one.transactionId }}
                    className="text-ink-3"
                  >
                    <When at={one.createdAt} ago />
                  </Link>
                </Td>
                <Td>
                  <TransactionBadge status={one.status} code={one.code} />
                </Td>
                <Td align="right">
                  <Amount value={one.amount} currency={one.currency} />
                </Td>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {times >= MUCH_MORE ? (
        <p className="tone-ask border-t border-line px-3.5 py-2.5 text-small font-medium text-tone">
          {times.toFixed(1)} times the last amount there.
        </p>
      ) : null}
    </Card>
  )
}

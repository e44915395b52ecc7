import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { isNotFound } from '../../data/query-client.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { AgentChip } from '../../parts/agent-chip.tsx'
import { Amount } from '../../parts/amount.tsx'
import { Id } from '../../parts/id.tsx'
import { TransactionBadge } from '../../parts/status-badge.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PATH_WORDS } from '../../words/words.ts'
import { searchOf } from './spend.ts'

/** A decision of the record, which the gateway judges again from its stored inputs. */
export function StoredSpend({ id }: { readonly id: string }) {
  const found = useQuery(queries.transaction(id))
  const { data: stored, error } = found
  if (error) {
    return isNotFound(error) ? (
      <Notice title="There is no such transaction.">
        The address may be mistyped, or it belongs to a different organization.{' '}
        <Link to="/simulator">Try a spend</Link>
      </Notice>
    ) : (
      <ErrorNotice
        title="The transaction could not be loaded."
        error={asPurserError(error)}
        onRetry={() => void found.refetch()}
      />
    )
  }
  if (!stored) return <Skeleton rows={8} />
  const { agentId, agentName, amount, currency, vendor, category, path } = stored
  const search = searchOf({
    ...{ agent: agentId, amount: String(amount), vendor, category: category ?? '', path, at: '' },
  })
  return (
    <div className="grid gap-4">
      <Notice icon={<ScrollText size={16} strokeWidth={1.75} aria-hidden />}>
        The gateway judges this decision again from its stored inputs: the same spend, rules and
        balances as then.
      </Notice>
      <DescriptionList
        rows={[
          { label: 'Transaction', value: <Id value={id} /> },
          { label: 'Decided', value: <When at={stored.createdAt} ago /> },
          {
            label: 'Then',
            value: <TransactionBadge status={stored.status} code={stored.code} />,
          },
          { label: 'Agent', value: <AgentChip name={agentName ?? null} id={agentId} /> },
          { label: 'Amount', value: <Amount value={amount} currency={currency} /> },
          { label: 'Vendor', value: <bdi>{vendor}</bdi> },
          { label: 'Category', value: category },
          { label: 'Payment path', value: PATH_WORDS[path] },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" render={<Link to="/simulator" search={search} />}>
          Try it under today’s rules
        </Button>
        <Button render={<Link to="/transactions/$id" params={{ id }} />}>
          Open the transaction
        </Button>
      </div>
    </div>
  )
}

import type { AgentList as Page } from '@purser/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Link } from '../../router/link.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatCount } from '../../words/money.ts'
import type { AgentSearch } from './agent-search.ts'
import { AgentTable } from './agent-table.tsx'

interface AgentListProps {
  readonly list: UseQueryResult<Page>
  readonly search: AgentSearch
}

/** The table, or its replacement while it loads, fails or finds nothing. */
export function AgentList({ list, search }: AgentListProps) {
  const { data, error, isPlaceholderData, refetch } = list
  const notice = error ? (
    <div className="px-4 py-3 tablet:px-6">
      <ErrorNotice
        title="The agents could not be loaded."
        error={asPurserError(error)}
        onRetry={() => void refetch()}
      />
    </div>
  ) : null
  if (!data && notice) return notice
  if (!data) return <Skeleton rows={8} shape="table" />
  if (data.total === 0) {
    return <Empty title="No agent matches." action={<Link to="/agents">Remove the filters</Link>} />
  }
  return (
    <div className={cx(isPlaceholderData && 'opacity-60')}>
      {notice}
      <AgentTable agents={data.data} search={search} />
      {data.hasMore ? (
        <p className="px-4 py-3 text-small text-ink-3 tablet:px-6">
          The first {data.data.length} of {formatCount(data.total)} agents. Search to find the
          others.
        </p>
      ) : null}
    </div>
  )
}

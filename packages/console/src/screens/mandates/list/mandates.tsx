import type { Mandate, MandateList as Page } from '@purser/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { queries } from '../../../data/queries.ts'
import { useMay } from '../../../data/session.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useTitle } from '../../../page/use-title.ts'
import { curlOf } from '../../../parts/curl.ts'
import { Link } from '../../../router/link.tsx'
import { useSearch } from '../../../router/use-router.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Empty } from '../../../ui/empty.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { formatCount } from '../../../words/money.ts'
import { useLeavingIds } from '../leaving.ts'
import { isFiltered, listQuery } from './list-query.ts'
import { MandateFilters } from './mandate-filters.tsx'
import { MandateTable } from './mandate-table.tsx'

const EXAMPLE = { agentId: '<agent id>', budgetTotal: 100, budgetPeriod: 'monthly' }

/** `/mandates`: every mandate with its agent and its budget. */
export function Mandates() {
  const search = useSearch()
  const may = useMay('mandates:write')
  const list = useInfiniteQuery(queries.mandatePages(listQuery(search)))
  const pages = list.data?.pages ?? []
  const leaving = useLeavingIds()
  const all: readonly Mandate[] = pages.flatMap(({ data }) => data)
  const mandates = all.filter(({ id }) => !leaving.has(id))
  const [first] = pages
  useTitle('Mandates')
  const create = (
    <Button
      disabledReason={may.reason}
      icon={<Plus aria-hidden size={14} />}
      render={may.isAllowed ? <Link to="/mandates/new" /> : undefined}
      variant="primary"
    >
      New mandate
    </Button>
  )
  return (
    <>
      <PageHeader
        after={first ? <span>{totalText(first, all.length - mandates.length)}</span> : undefined}
        title="Mandates"
      >
        {create}
      </PageHeader>
      <MandateFilters search={search} />
      {list.isError ? (
        <div className="p-6">
          <ErrorNotice
            error={asPurserError(list.error)}
            onRetry={() => void list.refetch()}
            title="The mandates could not be loaded."
          />
        </div>
      ) : null}
      {list.isPending ? <Skeleton rows={6} shape="table" /> : null}
      {list.isSuccess && mandates.length === 0 ? (
        <Nothing create={create} isFiltered={isFiltered(search)} />
      ) : null}
      {mandates.length > 0 ? (
        <div className={cx(list.isPlaceholderData && 'opacity-60')}>
          <MandateTable mandates={mandates} />
          {list.hasNextPage ? (
            <div className="p-4 text-center">
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Load more
              </Button>
            </div>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

interface NothingProps {
  readonly create: ReactNode
  readonly isFiltered: boolean
}

function Nothing({ create, isFiltered: isNarrow }: NothingProps) {
  if (isNarrow) {
    const action = <Button render={<Link to="/mandates" />}>Clear the filters</Button>
    return <Empty action={action} title="No mandate matches these filters." />
  }
  return (
    <Empty
      action={create}
      command={curlOf({ method: 'POST', path: '/mandates', body: EXAMPLE })}
      title="No mandates yet."
    >
      A mandate limits an agent’s spending: a budget, and rules that every spend must pass.
    </Empty>
  )
}

function totalText({ total, totalIsExact }: Page, hidden: number): string {
  return totalIsExact ? formatCount(total - hidden) : `more than ${formatCount(total)}`
}

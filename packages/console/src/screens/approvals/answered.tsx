import type { ApprovalStatus } from '@purser/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { purser } from '../../data/client.ts'
import { readOn } from '../../data/read-on.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AgentFilter } from './agent-filter.tsx'
import { AnsweredRow } from './answered-row.tsx'
import { ApprovalCase } from './approval-case.tsx'
import { Panes, useOpenFirst } from './panes.tsx'
import { useMoveKeys } from './use-move-keys.ts'

interface AnsweredProps {
  readonly id: string | undefined
  readonly status: string
  readonly agent: string | undefined
}

const FILTERS = [
  ['answered', 'All'],
  ['approved', 'Approved'],
  ['used', 'Used'],
  ['rejected', 'Rejected'],
  ['expired', 'Expired'],
] as const

/** Requests that were answered or expired, newest first. */
export function Answered({ id, status, agent }: AnsweredProps) {
  const list = useAnswered(status, agent)
  const search = useMemo(() => ({ status, ...(agent && { agent }) }), [status, agent])
  const rows = list.data?.pages
    .flatMap(({ data }) => data)
    .filter((approval) => approval.status !== 'pending')
  useOpenFirst(id, rows?.[0]?.id, search)
  useMoveKeys(rows ?? [], search)
  return (
    <Panes
      label="Answered requests"
      list={
        <>
          <AgentFilter agent={agent} />
          <Filters status={status} agent={agent} />
          {list.error ? (
            <div className="p-4">
              <ErrorNotice
                title="The requests could not be loaded."
                error={asPurserError(list.error)}
                onRetry={() => void list.refetch()}
              />
            </div>
          ) : null}
          {rows === undefined && !list.error ? <Skeleton rows={8} shape="table" /> : null}
          {rows?.length === 0 && !list.hasNextPage ? (
            <Nothing isFiltered={status !== 'answered' || agent !== undefined} />
          ) : null}
          <ul className={cx(list.isPlaceholderData && 'opacity-60')}>
            {rows?.map((approval) => (
              <AnsweredRow
                key={approval.id}
                approval={approval}
                isOpen={approval.id === id}
                search={search}
              />
            ))}
          </ul>
          {list.hasNextPage ? (
            <div className="p-4 text-center">
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show older answers
              </Button>
            </div>
          ) : null}
        </>
      }
      chosen={id === undefined ? null : <ApprovalCase key={id} id={id} search={search} />}
    />
  )
}

function useAnswered(status: string, agentId: string | undefined) {
  const query = {
    ...(status === 'answered' ? {} : { status: status as ApprovalStatus }),
    ...(agentId === undefined ? {} : { agentId }),
  }
  return useInfiniteQuery({
    queryKey: ['approvals', 'list', 'answered', query],
    queryFn: ({ pageParam, signal }) =>
      readOn(
        (cursor) =>
          purser.approvals
            .list({ limit: 50, ...query, ...(cursor && { cursor }) }, { signal })
            .page(),
        pageParam || undefined,
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
}

function Filters({ status, agent }: Omit<AnsweredProps, 'id'>) {
  return (
    <div className="flex flex-wrap gap-x-1 gap-y-1 border-b border-line px-3 py-2">
      {FILTERS.map(([value, word]) => (
        <Link
          key={value}
          to="/approvals"
          search={{ status: value, ...(agent && { agent }) }}
          aria-current={status === value ? 'true' : undefined}
          className="inline-flex min-h-6.5 items-center rounded-2 px-2 text-small font-medium text-ink-2 hover:bg-hover hover:no-underline aria-[current]:bg-accent-soft aria-[current]:text-accent pointer-coarse:min-h-11"
        >
          {word}
        </Link>
      ))}
    </div>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No request fits this filter." />
  ) : (
    <Empty title="No answers yet.">Answered requests stay here, with who answered.</Empty>
  )
}

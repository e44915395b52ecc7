import type { WebhookDelivery } from '@purser/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useNow } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { LivePill } from '../../../ui/live-pill.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { type LogSearch, toLogQuery } from './log-query.ts'

/** The log: every delivery, newest first. New ones wait behind a pill. */
export function DeliveryLog({ openId }: { readonly openId: string | undefined }) {
  const search = useSearch({ from: '/console/settings/webhook' })
  const {
    data,
    error,
    isPlaceholderData,
    refetch,
    hasNextPage,
    fetchNextPage,
    isFetchingNextPage,
  } = useLog(search)
  const all = data?.pages.flatMap((page) => page.data) ?? []
  const { shown, waiting, show } = useHeldBack(all, JSON.stringify(search))
  return (
    <section aria-label="Deliveries" className="min-w-0 border-t border-line">
      <DeliveryFilters search={search} />
      <LivePill count={waiting} onShow={show} />
      {data === undefined ? (
        error ? (
          <div className="px-4 pb-4 tablet:px-6">
            <ErrorNotice
              error={asPurserError(error)}
              onRetry={() => void refetch()}
              title="The deliveries could not be loaded."
            />
          </div>
        ) : (
          <Skeleton rows={6} shape="table" />
        )
      ) : all.length === 0 ? (
        <Nothing isFiltered={Object.keys(search).length > 0} />
      ) : (
        <div className={isPlaceholderData ? 'opacity-60' : undefined}>
          <DeliveryTable deliveries={shown} openId={openId} />
          {hasNextPage ? (
            <div className="py-3 text-center">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show older deliveries
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </section>
  )
}

function useLog(search: LogSearch) {
  const now = useNow()
  const query = toLogQuery(search, now)
  return useInfiniteQuery({
    queryKey: ['deliveries', 'list', 'log', query],
    queryFn: ({ signal, pageParam }) =>
      purser.webhooks.deliveries
        .list({ limit: 50, ...query, ...(pageParam ? { cursor: pageParam } : {}) }, { signal })
        .page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
}

/** Rows that came after the list was opened wait, so that nothing moves under the pointer. */
function useHeldBack(all: readonly WebhookDelivery[], filters: string) {
  const newest = all[0]?.createdAt ?? ''
  const [top, setTop] = useState({ filters, at: newest })
  const isOther = top.filters !== filters || top.at === ''
  if (isOther && newest !== '' && (top.filters !== filters || top.at !== newest)) {
    setTop({ filters, at: newest })
  }
  const limit = isOther ? newest : top.at
  const shown = all.filter(({ createdAt }) => createdAt <= limit)
  return {
    shown,
    waiting: all.length - shown.length,
    show: () => setTop({ filters, at: newest }),
  }
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No delivery fits these filters." />
  ) : (
    <Empty title="No deliveries yet.">
      Each event that Purser sends to your server appears here, with every attempt.
    </Empty>
  )
}

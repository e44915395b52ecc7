import type { WebhookDelivery } from '@purser/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { readOn } from '../../../data/read-on.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { useNow } from '../../../parts/when.tsx'
import { type LogSearch, toLogQuery } from './log-query.ts'

export type DeliveryLogState = ReturnType<typeof useDeliveryLog>

/** The deliveries that fit the filters, newest first, page by page. */
export function useDeliveryLog(search: LogSearch) {
  const query = toLogQuery(search, useNow())
  const log = useInfiniteQuery({
    queryKey: ['deliveries', 'list', 'log', query],
    queryFn: ({ signal, pageParam }) =>
      readOn(
        (cursor) =>
          purser.webhooks.deliveries
            .list({ limit: 50, ...query, ...(cursor ? { cursor } : {}) }, { signal })
            .page(),
        pageParam ?? undefined,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
  const all = log.data?.pages.flatMap((page) => page.data) ?? []
  return {
    ...useHeldBack(all, JSON.stringify(search)),
    isLoaded: log.data !== undefined,
    isStale: log.isPlaceholderData,
    error: asPurserError(log.error),
    reload: () => void log.refetch(),
    hasMore: log.hasNextPage,
    isLoadingMore: log.isFetchingNextPage,
    more: () => void log.fetchNextPage(),
  }
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

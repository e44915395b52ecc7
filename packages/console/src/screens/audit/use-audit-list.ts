import type { AuditEntry, AuditEntryList, ListAuditLogQuery } from '@purser/sdk'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'
import { asPurserError } from '../../data/use-action.ts'

const PAGE = 50
/** Decisions become leaves without a hint, so the page looks for new ones itself. */
const LOOK_MS = 10_000

/** The leaves that fit the filters, page by page, and how many newer ones wait. */
export function useAuditList(query: ListAuditLogQuery) {
  // The list does not begin with 'auditLog': rows must not move when a hint arrives.
  const list = useInfiniteQuery({
    queryKey: ['auditList', query],
    queryFn: ({ pageParam, signal }) => readPage(query, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const latest = useQuery({
    ...queries.latestLeaves(query),
    refetchInterval: LOOK_MS,
    enabled: list.isSuccess,
  })
  const entries = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    entries,
    size: latest.data?.size ?? list.data?.pages[0]?.size,
    log: list.data?.pages[0]?.log,
    waiting: list.isPlaceholderData ? 0 : newerThan(entries, latest.data?.data ?? []),
    isLoading: list.isPending,
    isStale: list.isPlaceholderData,
    isLoadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    error: asPurserError(list.error),
    more,
    reload: useCallback(() => void refetch(), [refetch]),
  }
}

/** A page can be empty although more follow, so it goes on until it has rows or the log ends. */
async function readPage(
  query: ListAuditLogQuery,
  cursor: number | undefined,
  signal: AbortSignal,
): Promise<AuditEntryList> {
  let page = await purser.auditLog.list({ ...query, limit: PAGE, cursor }, { signal }).page()
  for (let tries = 0; tries < 20 && page.data.length === 0 && page.nextCursor !== null; tries++) {
    page = await purser.auditLog
      .list({ ...query, limit: PAGE, cursor: page.nextCursor }, { signal })
      .page()
  }
  return page
}

function newerThan(entries: readonly AuditEntry[], latest: readonly AuditEntry[]): number {
  const first = entries[0]?.index ?? -1
  return latest.filter(({ index }) => index > first).length
}

import type { Vendor } from '@purser/sdk'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { purser } from '../../data/client.ts'
import { asPurserError } from '../../data/use-action.ts'

/** The directory, page by page. The gateway filters by category; a part of a host is found here. */
export function useVendors(category: string | undefined, text: string | undefined) {
  const list = useInfiniteQuery({
    queryKey: ['vendors', 'pages', category],
    queryFn: ({ pageParam, signal }) =>
      purser.vendors.list({ limit: 200, category, cursor: pageParam }, { signal }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list
  const all = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  const rows = useMemo(() => all.filter((vendor) => fits(vendor, text)), [all, text])
  const first = list.data?.pages[0]
  return {
    all,
    rows,
    total: first?.total,
    isTotalExact: first?.totalIsExact ?? true,
    hasMore: hasNextPage,
    isLoading: list.isPending,
    isStale: list.isPlaceholderData,
    error: asPurserError(list.error),
    more: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    }, [hasNextPage, isFetchingNextPage, fetchNextPage]),
    reload: useCallback(() => void refetch(), [refetch]),
  }
}

export function fits({ host, name }: Pick<Vendor, 'host' | 'name'>, text: string | undefined) {
  const wanted = text?.trim().toLowerCase() ?? ''
  return host.includes(wanted) || (name?.toLowerCase().includes(wanted) ?? false)
}

/** Directories are small, so a link to a vendor that is not loaded yet reads on to it. */
const READ_MAX = 2_000

export function useVendor(id: string | undefined, listed: Vendor | undefined) {
  const found = useQuery({
    queryKey: ['vendors', 'one', id],
    queryFn: async ({ signal }) => {
      let read = 0
      for await (const vendor of purser.vendors.list({ limit: 200 }, { signal })) {
        if (vendor.id === id) return vendor
        read += 1
        if (read >= READ_MAX) break
      }
      return null
    },
    enabled: id !== undefined && listed === undefined,
  })
  return {
    vendor: listed ?? found.data,
    isMissing: !listed && found.isSuccess && !found.data,
    error: asPurserError(found.error),
    reload: () => void found.refetch(),
  }
}

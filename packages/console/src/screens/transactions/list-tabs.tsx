import type { TransactionList } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { memo } from 'react'
import { purser } from '../../data/client.ts'
import { Link } from '../../router/link.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import {
  asListQuery,
  searchOfTab,
  type TabName,
  type TransactionSearch,
  tabOf,
  toQuery,
} from './filters/filters.ts'
import { shownView, useViews } from './views.ts'

interface ListTabsProps {
  readonly search: TransactionSearch
  readonly timezone: string
}

const TABS: readonly { readonly value: TabName; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'held', label: 'Held' },
  { value: 'flagged', label: 'Flagged' },
]

/** The tab that is chosen is marked by the filters, not by a part of the address. */
const EXACT = { to: '/transactions', activeOptions: { exact: true } } as const

/** Counting reads up to 10,000 rows, so it is done at leisure. */
const COUNT_MS = 30_000

/** All, Rejected, Held, Flagged, and the saved views of this browser. */
export const ListTabs = memo(function ListTabs({ search, timezone }: ListTabsProps) {
  const views = useViews()
  const view = shownView(views, search)
  const counts = useCounts(search, timezone)
  return (
    <div className="px-4 tablet:px-6" data-print="none">
      <Tabs
        label="Kinds of transactions"
        value={view ? `view:${view.name}` : tabOf(search)}
        items={[
          ...TABS.map(({ value, label }) => ({
            ...{ value: value as string, label, count: counts[value]?.total },
            isCountOpen: counts[value]?.totalIsExact === false,
            render: <Link {...EXACT} search={searchOfTab(search, value) as never} />,
          })),
          ...views.map(({ name, search: saved }) => ({
            ...{ value: `view:${name}`, label: <bdi>{name}</bdi> },
            icon: <Bookmark size={13} strokeWidth={1.5} aria-hidden />,
            render: <Link {...EXACT} search={{ ...saved, view: name } as never} />,
          })),
        ]}
      />
    </div>
  )
})

/** The gateway stops counting at 10,000. */
type Count = Pick<TransactionList, 'total' | 'totalIsExact'>

/** How many rows the other tabs have under the same filters. */
function useCounts(
  search: TransactionSearch,
  timezone: string,
): Partial<Record<TabName, Count | undefined>> {
  return {
    ...{
      rejected: useCount(search, 'rejected', timezone),
      held: useCount(search, 'held', timezone),
    },
    flagged: useCount(search, 'flagged', timezone),
  }
}

function useCount(search: TransactionSearch, tab: TabName, timezone: string): Count | undefined {
  const query = toQuery(searchOfTab(search, tab), new Date(), timezone)
  const { data } = useQuery({
    queryKey: ['transactionCounts', query],
    queryFn: ({ signal }) =>
      purser.transactions
        .list({ ...asListQuery(query), view: 'summary', limit: 1 }, { signal })
        .page(),
    staleTime: COUNT_MS,
    refetchInterval: COUNT_MS,
  })
  return data
}

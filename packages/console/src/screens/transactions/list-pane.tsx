import type { ListedTransaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import {
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { queries } from '../../data/queries.ts'
import { useTitle } from '../../page/use-title.ts'
import { useTimezone } from '../../parts/when.tsx'
import { LivePill } from '../../ui/live-pill.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DESK, useMedia } from '../../ui/use-media.ts'
import type { VirtualTableHandle } from '../../ui/virtual-table.tsx'
import { Announcer } from './announcer.tsx'
import { ExportButton } from './export-button.tsx'
import { useFeed } from './feed/use-feed.ts'
import { FilterBar } from './filters/filter-bar.tsx'
import { FILTER_NAMES, filtersOf, toQuery } from './filters/filters.ts'
import { periodWords } from './filters/period.ts'
import { List } from './list.tsx'
import { ListTabs } from './list-tabs.tsx'
import { LiveButton, LiveLine } from './live-button.tsx'
import { SaveView } from './save-view.tsx'
import { nameOf, totalWords } from './sentences.ts'
import { useListKeys } from './use-list-keys.ts'
import type { ScreenAddress } from './use-screen.ts'

const CLEARED = Object.fromEntries([...FILTER_NAMES, 'view'].map((name) => [name, undefined]))

/** The functions of the list for the drawer beside it. */
export interface ListHandle {
  /** Opens the transaction that many rows further. */
  readonly move: (step: 1 | -1) => void
  /** The transaction was changed in the drawer. */
  readonly replace: (transaction: ListedTransaction) => void
}

interface ListPaneProps {
  readonly screen: ScreenAddress
  readonly handle: Ref<ListHandle>
}

/** The list with its tabs and filters, and its live changes. */
export function ListPane({ screen, handle }: ListPaneProps) {
  const { search, openId, newestId, setSearch, open } = screen
  const timezone = useTimezone()
  const isPaused = search['live'] === 'off'
  const table = useRef<VirtualTableHandle>(null)
  const isHovered = useRef(false)
  const mayInsert = () =>
    !isPaused && openId === undefined && !isHovered.current && table.current?.isAtTop() !== false
  // The relative start of a period moves with the day, not with each drawing.
  const [openedAt] = useState(() => new Date())
  const query = useMemo(() => toQuery(search, openedAt, timezone), [search, openedAt, timezone])
  const { feed, state } = useFeed(query, mayInsert)
  const names = useNames()
  const chipNames = useMemo(
    () => ({ ...names, timezone, now: openedAt }),
    [names, timezone, openedAt],
  )
  const mover = useListKeys({ rows: state.rows, openId, newestId, open, table })
  const isBeside = useMedia(DESK) && openId !== undefined
  const selected = state.rows.find(({ transactionId }) => transactionId === openId)
  useTitle(titleOf(openId, selected))
  useImperativeHandle(handle, () => ({ move: (step) => mover.move(step), replace: feed.replace }), [
    mover,
    feed,
  ])
  const filters = filtersOf(search)
  const hasPeriod = filters['from'] !== undefined || filters['to'] !== undefined
  const period = hasPeriod
    ? periodWords({ from: filters['from'], to: filters['to'] }, timezone, openedAt)
    : null
  useEffect(() => {
    if (!isPaused) feed.settle()
  }, [isPaused, feed])
  const hasRows = state.rows.length > 0
  useEffect(() => {
    // An address that was opened directly may name a row further down.
    if (openId !== undefined && hasRows) table.current?.scrollToKey(openId)
  }, [openId, hasRows])
  const isOpen = openId !== undefined
  const onOpen = useCallback((id: string) => open(id, isOpen), [open, isOpen])
  const onPause = useCallback(
    (pause: boolean) => setSearch({ live: pause ? 'off' : undefined }, true),
    [setSearch],
  )
  const onClearFilters = useCallback(() => setSearch(CLEARED), [setSearch])
  return (
    <>
      <PageHeader
        title="Transactions"
        after={
          state.isLoading && state.rows.length === 0
            ? undefined
            : totalWords(state.total, state.isTotalExact, period && inWords(period))
        }
      >
        <LiveButton isPaused={isPaused} onPause={onPause} />
        <SaveView search={search} onChange={setSearch} />
        <ExportButton query={query} total={state.total} isTotalExact={state.isTotalExact} />
      </PageHeader>
      <ListTabs search={search} timezone={timezone} />
      <div className="border-b border-line" data-print="none">
        <FilterBar search={search} names={chipNames} onChange={setSearch} />
        <LiveLine isPaused={isPaused} waiting={state.waiting} timezone={timezone} />
      </div>
      <LivePill
        count={state.waiting}
        onShow={() => {
          feed.show()
          table.current?.scrollToTop()
        }}
      />
      <div
        className="flex min-h-0 flex-1 flex-col print:block"
        onPointerEnter={({ pointerType }) => {
          isHovered.current = pointerType === 'mouse'
        }}
        onPointerLeave={() => {
          isHovered.current = false
          feed.settle()
        }}
      >
        <List
          {...{ feed, state, isBeside, table }}
          names={names.agents}
          selectedId={openId}
          hasFilters={Object.keys(filters).length > 0}
          onOpen={onOpen}
          onClearFilters={onClearFilters}
        />
      </div>
      <Announcer state={state} />
    </>
  )
}

/** The drawer names a transaction that the list does not have. */
function titleOf(openId: string | undefined, selected: ListedTransaction | undefined) {
  if (openId === undefined) return 'Transactions'
  return selected && nameOf(selected)
}

/** "30 days" as "in 30 days"; "since 1 November" stays. */
function inWords(period: string): string {
  return /^\d+ days$/.test(period)
    ? `in ${period}`
    : period.toLowerCase() === 'today'
      ? 'today'
      : period
}

/** The names of agents and mandates, for chips and for rows that the stream announced. */
function useNames() {
  const { data: agents } = useQuery(queries.agents({ include: 'mandate' }))
  const { data: mandates } = useQuery(queries.mandates())
  return useMemo(() => {
    const named = (list: readonly { id: string; name: string }[] | undefined) =>
      new Map((list ?? []).map(({ id, name }) => [id, name]))
    return { agents: named(agents?.data), mandates: named(mandates?.data) }
  }, [agents, mandates])
}

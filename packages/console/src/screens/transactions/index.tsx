import type { ListedTransaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { queries } from '../../data/queries.ts'
import { focusRow } from '../../keys/row-focus.ts'
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
import { useScreen } from './use-screen.ts'

const TransactionDrawer = lazy(() =>
  import('./drawer/drawer.tsx').then((one) => ({ default: one.TransactionDrawer })),
)

const CLEARED = Object.fromEntries([...FILTER_NAMES, 'view'].map((name) => [name, undefined]))

/** Every decision, newest first, with the drawer that says why. */
export function Transactions() {
  const { search, openId, newestId, setSearch, open, close } = useScreen()
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
  const onTab = useCallback(
    (tab: 'why' | 'json') => setSearch({ tab: tab === 'json' ? 'json' : undefined }, true),
    [setSearch],
  )
  const onPause = useCallback(
    (pause: boolean) => setSearch({ live: pause ? 'off' : undefined }, true),
    [setSearch],
  )
  const onClearFilters = useCallback(() => setSearch(CLEARED), [setSearch])
  const onClose = useCallback(() => {
    close()
    if (openId !== undefined) focusRow(openId)
  }, [close, openId])

  return (
    <div className="flex min-h-104 flex-1 max-tablet:h-[calc(100dvh-6.75rem)] max-tablet:flex-none tablet:min-h-0 print:block print:h-auto">
      <div className="flex min-w-0 flex-1 flex-col">
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
      </div>
      {openId === undefined ? null : (
        <Suspense fallback={isBeside ? <aside className="w-126 border-l border-line" /> : null}>
          <TransactionDrawer
            id={openId}
            tab={search['tab'] === 'json' ? 'json' : 'why'}
            onTab={onTab}
            onMove={mover.move}
            onClose={onClose}
            onChanged={feed.replace}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The drawer names a transaction that the list does not have. */
function titleOf(openId: string | undefined, selected: ListedTransaction | undefined): string {
  if (openId === undefined) return 'Transactions'
  return selected ? nameOf(selected) : 'Transaction'
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

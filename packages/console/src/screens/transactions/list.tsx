import type { ListedTransaction } from '@purser/sdk'
import { memo, type Ref, useCallback, useMemo } from 'react'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { curlOf } from '../../parts/curl.ts'
import { useDensity } from '../../theme/use-density.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { VirtualTable, type VirtualTableHandle } from '../../ui/virtual-table.tsx'
import { formatCount } from '../../words/money.ts'
import { longestAmount } from './amount-length.ts'
import { type AgentNames, columnsFor, narrowRow } from './columns.tsx'
import type { Feed, FeedState } from './feed/feed.ts'

interface ListProps {
  readonly feed: Feed
  readonly state: FeedState
  readonly names: AgentNames
  readonly selectedId: string | undefined
  /** The drawer stands beside the list. */
  readonly isBeside: boolean
  readonly hasFilters: boolean
  readonly onOpen: (id: string) => void
  readonly onClearFilters: () => void
  readonly table: Ref<VirtualTableHandle>
}

/** The same as `--row` and `--row-compact`, in pixels. */
const ROW_HEIGHTS = { normal: 40, compact: 32 } as const
const TABLET = '(min-width: 53.8125rem)'
/** From this width on, agent and vendor have a column each beside the drawer. */
const ROOMY = '(min-width: 90rem)'

/** The rows. Only those in view are in the page. */
export const List = memo(function List(props: ListProps) {
  const { feed, state, names, isBeside, hasFilters, onOpen } = props
  const isStacked = !useMedia(TABLET)
  const isTight = !useMedia(ROOMY) && isBeside
  const [density] = useDensity()
  const isCompact = density === 'compact'
  const amountLength = useMemo(() => longestAmount(state.rows), [state.rows])
  const columns = useMemo(
    () => columnsFor({ isBeside, isStacked, isTight, isCompact, amountLength, names, onOpen }),
    [isBeside, isStacked, isTight, isCompact, amountLength, names, onOpen],
  )
  const openRow = useCallback((row: ListedTransaction) => onOpen(row.transactionId), [onOpen])
  const narrow = useCallback(
    (row: ListedTransaction) => narrowRow(row, names, onOpen),
    [names, onOpen],
  )
  return (
    <VirtualTable<ListedTransaction>
      ref={props.table}
      label="Transactions"
      columns={columns}
      rows={state.rows}
      rowKey={keyOf}
      rowHeight={isStacked ? 52 : ROW_HEIGHTS[density]}
      total={state.total}
      selectedKey={props.selectedId}
      onRowClick={openRow}
      onEndReached={feed.more}
      narrow={narrow}
      reuseRows
      loading={state.isLoading}
      stale={state.isLoading && state.rows.length > 0}
      error={
        state.error ? (
          <div className="p-4 tablet:p-6">
            <ErrorNotice
              title="The list could not be loaded."
              error={state.error}
              onRetry={() => void (state.rows.length > 0 ? feed.more() : feed.load())}
            />
          </div>
        ) : undefined
      }
      empty={hasFilters ? <NothingFits onClear={props.onClearFilters} /> : <NothingYet />}
      footer={state.rows.length > 0 ? <Footer state={state} /> : undefined}
    />
  )
})

function keyOf({ transactionId }: ListedTransaction): string {
  return transactionId
}

function Footer({ state }: { readonly state: FeedState }) {
  const { rows, total, isTotalExact, isLoadingMore, hasMore } = state
  const all = isTotalExact ? formatCount(total) : `more than ${formatCount(total)}`
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1 px-4 py-2.5 text-small text-ink-3 tablet:px-6">
      <span>
        {hasMore || isLoadingMore
          ? `${formatCount(rows.length)} of ${all}, newest first`
          : `All ${formatCount(rows.length)}, newest first`}
        {isLoadingMore ? '. Loading more…' : ''}
      </span>
      <span
        className="ml-auto flex items-center gap-1.5 max-tablet:hidden"
        data-print="none"
        aria-hidden
      >
        <Kbd>j</Kbd>
        <Kbd>k</Kbd> move <Kbd>Enter</Kbd> why <Kbd>/</Kbd> find
      </span>
    </div>
  )
}

function NothingFits({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty
      title="No transaction fits these filters."
      action={<Button onClick={onClear}>Clear the filters</Button>}
    >
      New ones that fit appear here as they are decided.
    </Empty>
  )
}

function NothingYet() {
  const body = { agentId: '<agent id>', amount: 12.5, vendor: 'api.openai.com', category: 'llm' }
  return (
    <Empty
      title="No transactions yet."
      command={curlOf({ method: 'POST', path: '/gateway/evaluate', body })}
    >
      Every spend that an agent asks for appears here within a second, approved or rejected, with
      the reason.
    </Empty>
  )
}

import { type Ref, useMemo } from 'react'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { curlOf } from '../../parts/curl.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { VirtualTable, type VirtualTableHandle } from '../../ui/virtual-table.tsx'
import { formatCount } from '../../words/money.ts'
import { auditColumns, NarrowRow } from './columns.tsx'
import { type AuditRow, rowsByDay } from './rows.ts'
import type { useAuditList } from './use-audit-list.ts'
import type { AuditNames } from './use-leaf-names.ts'

interface AuditListProps {
  readonly list: ReturnType<typeof useAuditList>
  readonly names: AuditNames
  readonly now: Date
  readonly openIndex: number | undefined
  readonly hasFilters: boolean
  readonly onOpen: (index: number) => void
  readonly onClear: () => void
  readonly table: Ref<VirtualTableHandle>
}

const PHONE = '(min-width: 30rem)'
/** A sentence on two lines, and the line with the time. */
const NARROW_HEIGHT = 69

const keyOf = ({ key }: AuditRow) => key
const headingOf = (row: AuditRow) => ('day' in row ? row.day : null)
const narrowHeight = () => NARROW_HEIGHT

/** The leaves, newest first, under a heading for each day. */
export function AuditList(props: AuditListProps) {
  const { list, names, now, openIndex, hasFilters } = props
  const { entries } = list
  const rows = useMemo(
    () => rowsByDay(entries, names.timezone, now),
    [entries, names.timezone, now],
  )
  const isNarrow = !useMedia(PHONE)
  const columns = useMemo(() => auditColumns(names), [names])
  return (
    <VirtualTable<AuditRow>
      ref={props.table}
      label="Audit log"
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      heading={headingOf}
      estimate={isNarrow ? narrowHeight : undefined}
      narrow={(row) => <NarrowRow row={row} names={names} />}
      selectedKey={openIndex === undefined ? null : String(openIndex)}
      onRowClick={(row) => 'entry' in row && props.onOpen(row.entry.index)}
      onEndReached={list.more}
      loading={list.isLoading}
      stale={list.isStale}
      error={
        list.error ? (
          <div className="p-4 tablet:p-6">
            <ErrorNotice
              title="The audit log could not be loaded."
              error={list.error}
              onRetry={list.reload}
            />
          </div>
        ) : undefined
      }
      empty={hasFilters ? <NothingFits onClear={props.onClear} /> : <NothingYet />}
      footer={
        entries.length === 0 ? undefined : (
          <p className="px-4 py-2.5 text-small text-ink-3 tablet:px-6">
            {list.isLoadingMore ? 'Loading more' : footerWords(entries.length, list.hasMore)}
          </p>
        )
      }
    />
  )
}

function footerWords(count: number, hasMore: boolean): string {
  return hasMore ? `${formatCount(count)} shown, newest first` : 'The beginning of the list'
}

function NothingFits({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty
      title="No leaf fits these filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  )
}

function NothingYet() {
  return (
    <Empty
      title="Decisions and changes appear here about a second after they happen."
      command={curlOf({ method: 'GET', path: '/audit-log' })}
    />
  )
}

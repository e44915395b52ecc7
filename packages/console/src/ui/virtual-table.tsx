import {
  type CSSProperties,
  memo,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import { cx } from './cx.ts'
import { useRowSlots } from './row-slots.ts'
import { HeadingRow, Row, type SortDirection, Table, Td, Th } from './table.tsx'
import { COARSE, useMedia } from './use-media.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import { isNearEnd, spaceAround } from './virtual-rows.ts'
import { type HideBelow, SkeletonRows, SpaceRow, useShownColumns } from './virtual-table-parts.tsx'

export interface VirtualColumn<T> {
  id: string
  header: ReactNode
  cell: (row: T) => ReactNode
  align?: 'left' | 'right' | 'center' | undefined
  /** Any CSS width. Columns without one share the rest. */
  width?: string | undefined
  /** Leaves the column out below this width of the page. */
  hideBelow?: HideBelow | undefined
  /** Cuts long text with an ellipsis. */
  cut?: boolean | undefined
  sort?: SortDirection | false | undefined
  onSort?: (() => void) | undefined
}

export interface VirtualTableHandle {
  scrollToKey: (key: string) => void
  scrollToTop: () => void
  /** Whether the first row is in view: only then may new rows be put above it. */
  isAtTop: () => boolean
}

export interface VirtualTableProps<T> {
  columns: readonly VirtualColumn<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
  /** The name of the table. */
  label: string
  /** How many rows there are in all, where that is known. */
  total?: number | undefined
  selectedKey?: string | null | undefined
  onRowClick?: ((row: T) => void) | undefined
  rowHeight?: number | undefined
  /** The height of one row, where rows differ. They are measured then. */
  estimate?: ((row: T) => number) | undefined
  onEndReached?: (() => void) | undefined
  /** Turns a row into a heading across all columns, such as a day. */
  heading?: ((row: T) => ReactNode | null) | undefined
  /** One cell in place of all columns, below 480 px. */
  narrow?: ((row: T) => ReactNode) | undefined
  empty?: ReactNode
  /** The first rows are on their way. */
  loading?: boolean | undefined
  error?: ReactNode
  /** Old rows that stay while others load. */
  stale?: boolean | undefined
  /** Under the last row: "Loading more", "16 of 1,338". */
  footer?: ReactNode
  className?: string | undefined
  /** Inside a card the edges are narrower. */
  inCard?: boolean | undefined
  /** Cells without state of their own: after a jump, the elements of old rows show the new ones. */
  reuseRows?: boolean | undefined
  ref?: Ref<VirtualTableHandle> | undefined
}

const PHONE = '(min-width: 30rem)'

/** A long list as a real table. Only the rows in view are in the page. */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { rows, rowKey, rowHeight = 40, estimate, heading, onEndReached } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isCoarse = useMedia(COARSE)
  const isWide = useMedia(PHONE)
  const narrow = isWide ? undefined : props.narrow
  const height = heightOf(rowHeight, isCoarse, narrow !== undefined)
  const sizeAt = useCallback(
    (index: number) => sizeOf(rows[index], { heading, estimate, height }),
    [rows, heading, estimate, height],
  )
  const keyAt = useCallback(
    (index: number) => {
      const row = rows[index]
      return row === undefined ? String(index) : rowKey(row)
    },
    [rows, rowKey],
  )
  const { items, total, measure, scrollToIndex } = useVirtualRows({
    ...{ scroller, count: rows.length, sizeOf: sizeAt },
    keyOf: estimate ? keyAt : undefined,
  })
  const keys = useMemo(() => items.map(({ index }) => keyAt(index)), [items, keyAt])
  const slots = useRowSlots(keys, scroller, props.reuseRows === true)
  const { above, below } = spaceAround(items, total)
  const isAtEnd = isNearEnd(items, rows.length)
  const count = rows.length
  useEffect(() => {
    // Each new page is looked at again: it may not fill the view.
    if (isAtEnd && count > 0) onEndReached?.()
  }, [isAtEnd, count, onEndReached])
  useImperativeHandle(props.ref, () => ({
    scrollToKey: (key) => {
      const index = rows.findIndex((row) => rowKey(row) === key)
      if (index >= 0) scrollToIndex(index)
    },
    scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
    isAtTop: () => (scroller.current?.scrollTop ?? 0) < 4,
  }))
  const { label } = props
  const given = useShownColumns(props.columns)
  const columns = useMemo(
    () => (narrow ? [{ id: 'narrow', header: label, cell: narrow } as VirtualColumn<T>] : given),
    [narrow, label, given],
  )
  const selectedIndex =
    props.selectedKey == null ? null : rows.findIndex((row) => rowKey(row) === props.selectedKey)
  const slot = props.error ?? (rows.length === 0 && !props.loading ? props.empty : undefined)
  return (
    <div
      className={cx(
        'min-h-0 flex-1 overflow-auto overscroll-contain print:overflow-visible',
        props.className,
      )}
      ref={scroller}
    >
      <Table
        aria-label={props.label}
        aria-rowcount={(props.total ?? rows.length) + 1}
        aria-busy={props.loading === true || props.stale === true}
        inCard={props.inCard}
        className={cx('table-fixed', props.stale && 'opacity-60')}
        style={{ '--row': `${height}px` } as CSSProperties}
      >
        <Head columns={columns} hidden={narrow !== undefined} />
        <tbody>
          <SpaceRow columns={columns.length} height={above} />
          {items.map(({ index }) => (
            <MemoRow
              {...{ columns, index, heading }}
              key={slots?.get(keyAt(index)) ?? keyAt(index)}
              measure={estimate ? measure : undefined}
              onClick={props.onRowClick}
              row={rows[index]}
              selected={selectedIndex === null ? undefined : index === selectedIndex}
            />
          ))}
          <SpaceRow columns={columns.length} height={below} />
          {props.loading && rows.length === 0 && <SkeletonRows columns={columns.length} />}
        </tbody>
      </Table>
      {slot}
      {props.footer}
    </div>
  )
}

function heightOf(rowHeight: number, isCoarse: boolean, isNarrow: boolean): number {
  if (isNarrow) return 60
  return isCoarse ? Math.max(48, rowHeight) : rowHeight
}

interface Sizes<T> {
  heading: ((row: T) => ReactNode | null) | undefined
  estimate: ((row: T) => number) | undefined
  height: number
}

function sizeOf<T>(row: T | undefined, { heading, estimate, height }: Sizes<T>): number {
  if (row === undefined) return height
  if (heading !== undefined && heading(row) !== null) return 28
  return estimate?.(row) ?? height
}

function Head<T>({ columns, hidden }: { columns: readonly VirtualColumn<T>[]; hidden: boolean }) {
  return (
    <thead className={hidden ? 'sr-only' : 'sticky top-0 z-1'}>
      <tr aria-rowindex={1}>
        {columns.map((column) => (
          <Th
            align={column.align}
            key={column.id}
            onSort={column.onSort}
            sort={column.sort}
            style={column.width === undefined ? undefined : { width: column.width }}
          >
            {column.header}
          </Th>
        ))}
      </tr>
    </thead>
  )
}

interface BodyRowProps<T> {
  columns: readonly VirtualColumn<T>[]
  row: T | undefined
  index: number
  selected: boolean | undefined
  heading: ((row: T) => ReactNode | null) | undefined
  onClick: ((row: T) => void) | undefined
  measure: ((element: HTMLTableRowElement | null) => void) | undefined
}

function BodyRow<T>(props: BodyRowProps<T>) {
  const { columns, row, index, selected, heading, onClick, measure } = props
  if (row === undefined) return null
  const title = heading?.(row) ?? null
  if (title !== null) return <HeadingRow columns={columns.length}>{title}</HeadingRow>
  return (
    <Row
      aria-rowindex={index + 2}
      data-index={index}
      onClick={(event) => {
        // Links and buttons in the row act for themselves, and a selection is not a press.
        const target = event.target
        if (target instanceof Element && target.closest('a, button, input, label')) return
        if (window.getSelection()?.type === 'Range') return
        onClick?.(row)
      }}
      ref={measure}
      selected={selected}
    >
      {columns.map((column) => (
        <Td align={column.align} className={column.cut ? 'truncate' : undefined} key={column.id}>
          {column.cell(row)}
        </Td>
      ))}
    </Row>
  )
}

/** While a person scrolls, only rows that come into view are drawn. */
const MemoRow = memo(BodyRow) as typeof BodyRow

import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface TableProps extends ComponentProps<'table'> {
  /** Inside a card: narrower edges, no line under the last row. */
  inCard?: boolean | undefined
  /** The name of the table, for screen readers. */
  caption?: string | undefined
}

const EDGES =
  'first:pl-4 last:pr-4 tablet:first:pl-6 tablet:last:pr-6 group-data-incard/table:first:pl-3.5 group-data-incard/table:last:pr-3.5'

export function Table({ inCard = false, caption, className, children, ...rest }: TableProps) {
  return (
    <table
      className={cx('group/table w-full border-separate border-spacing-0', className)}
      data-incard={inCard ? '' : undefined}
      {...rest}
    >
      {caption !== undefined && <caption className="sr-only">{caption}</caption>}
      {children}
    </table>
  )
}

export type SortDirection = 'ascending' | 'descending'

export interface ThProps extends Omit<ComponentProps<'th'>, 'align'> {
  align?: 'left' | 'right' | 'center' | undefined
  /** How this column is sorted: false when it could be but is not. */
  sort?: SortDirection | false | undefined
  onSort?: (() => void) | undefined
}

export function Th({ align = 'left', sort, onSort, className, children, ...rest }: ThProps) {
  const Arrow = sort === 'descending' ? ArrowDown : ArrowUp
  return (
    <th
      aria-sort={sort === undefined ? undefined : sort || 'none'}
      className={cx(
        'h-8 border-b border-line bg-sheet px-2.5 text-small font-medium whitespace-nowrap text-ink-3 group-data-incard/table:first:rounded-tl-3',
        EDGES,
        alignClass(align),
        className,
      )}
      scope="col"
      {...rest}
    >
      {onSort ? (
        <button
          className={cx(
            '-mx-1 inline-flex min-h-6 items-center gap-1 rounded-1 px-1 font-medium hover:text-ink pointer-coarse:min-h-11',
            sort && 'text-ink',
          )}
          onClick={onSort}
          type="button"
        >
          {children}
          <Arrow aria-hidden="true" className={sort ? '' : 'invisible'} size={12} />
        </button>
      ) : (
        children
      )}
    </th>
  )
}

export interface TdProps extends Omit<ComponentProps<'td'>, 'align'> {
  align?: 'left' | 'right' | 'center' | undefined
}

export function Td({ align = 'left', className, ...rest }: TdProps) {
  return (
    <td
      className={cx(
        'h-(--row) border-b border-line px-2.5 whitespace-nowrap group-hover/row:bg-hover group-aria-selected/row:bg-selected group-aria-selected/row:first:shadow-[inset_2px_0_0_var(--accent)] group-data-incard/table:group-last/row:border-b-0',
        EDGES,
        alignClass(align),
        className,
      )}
      {...rest}
    />
  )
}

export interface RowProps extends ComponentProps<'tr'> {
  selected?: boolean | undefined
}

/** A row. The link in it is the caller's, and so is a press on the rest of it. */
export function Row({ selected, className, ...rest }: RowProps) {
  return <tr aria-selected={selected} className={cx('group/row', className)} {...rest} />
}

/** A heading between rows, such as a day. */
export function HeadingRow({ children, columns }: { children: ReactNode; columns: number }) {
  return (
    <tr>
      <th
        className={cx(
          'h-7 border-b border-line bg-well px-2.5 text-left text-small font-medium text-ink-3',
          EDGES,
        )}
        colSpan={columns}
        scope="colgroup"
      >
        {children}
      </th>
    </tr>
  )
}

function alignClass(align: 'left' | 'right' | 'center'): string {
  if (align === 'right') return 'text-right'
  return align === 'center' ? 'text-center' : 'text-left'
}

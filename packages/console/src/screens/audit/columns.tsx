import type { ReactNode } from 'react'
import { Link } from '../../router/link.tsx'
import type { VirtualColumn } from '../../ui/virtual-table.tsx'
import { leafSentence } from '../../words/leaf-sentences.ts'
import { formatCount } from '../../words/money.ts'
import { formatExact, formatTime } from '../../words/time.ts'
import type { AuditRow } from './rows.ts'
import { LeafIcon, Pieces } from './sentence.tsx'
import type { AuditNames } from './use-leaf-names.ts'

/** The columns of the log. A heading row has no cells. */
export function auditColumns(names: AuditNames): readonly VirtualColumn<AuditRow>[] {
  return [
    {
      ...{ id: 'when', header: 'When', width: '5.75rem' },
      cell: (row) => ('entry' in row ? <Time at={row.entry.at} zone={names.timezone} /> : null),
    },
    {
      ...{ id: 'who', header: 'Who', width: '10rem', cut: true, hideBelow: 'tablet' },
      cell: (row) =>
        'entry' in row ? (
          <bdi className="font-medium">{leafSentence(row.entry, names).who}</bdi>
        ) : null,
    },
    {
      ...{ id: 'what', header: 'What', cut: true },
      cell: (row) => <What row={row} names={names} />,
    },
    {
      ...{ id: 'leaf', header: 'Leaf', width: '5.5rem', align: 'right', hideBelow: 'phone' },
      cell: (row) =>
        'entry' in row ? <span className="text-ink-2">{formatCount(row.entry.index)}</span> : null,
    },
  ]
}

interface CellProps {
  readonly row: AuditRow
  readonly names: AuditNames
}

function What({ row, names }: CellProps) {
  if (!('entry' in row)) return null
  const { who, what, icon } = leafSentence(row.entry, names)
  return (
    <span className="flex min-w-0 items-center gap-2">
      <LeafIcon name={icon} />
      <LeafLink index={row.entry.index}>
        {/* Below 861 px the sentence begins with its actor, because the column is gone. */}
        <bdi className="font-medium tablet:hidden">{who} </bdi>
        <Pieces pieces={what} />
      </LeafLink>
    </span>
  )
}

/** A leaf on a phone: the sentence on up to two lines, then the time and its place. */
export function NarrowRow({ row, names }: CellProps) {
  if (!('entry' in row)) return null
  const { who, what } = leafSentence(row.entry, names)
  const { index, at } = row.entry
  return (
    <span className="block min-w-0 py-1.5 whitespace-normal">
      <LeafLink index={index} isWrapped>
        <bdi className="font-medium">{who} </bdi>
        <Pieces pieces={what} />
      </LeafLink>
      <span className="block text-small text-ink-3">
        <Time at={at} zone={names.timezone} /> · leaf {formatCount(index)}
      </span>
    </span>
  )
}

interface LeafLinkProps {
  readonly index: number
  readonly isWrapped?: boolean
  readonly children: ReactNode
}

function LeafLink({ index, isWrapped = false, children }: LeafLinkProps) {
  return (
    <Link
      to="/audit/$index"
      params={{ index: String(index) }}
      search={true}
      data-row={index}
      className={`min-w-0 text-ink hover:text-ink ${isWrapped ? 'line-clamp-2' : 'truncate'}`}
    >
      {children}
    </Link>
  )
}

function Time({ at, zone }: { readonly at: string; readonly zone: string }) {
  const time = new Date(at)
  return (
    <time dateTime={at} title={`${formatExact(time, zone)} · ${at}`} className="text-ink-3">
      {formatTime(time, zone, true)}
    </time>
  )
}

import type { ReactElement, ReactNode } from 'react'
import { linkElement } from '../ui/link-element.tsx'
import { Row, Table, Td } from '../ui/table.tsx'
import { HOLLOW, SPENT } from './hatch.tsx'

export interface RankedRow {
  key: string
  label: ReactNode
  /** Behind the label: a tag, a category. */
  note?: ReactNode
  /** For the length of the bar alone. */
  value: number
  /** The exact figure. */
  figure: ReactNode
  href?: string | undefined
  /** A link of the router in place of `href`. */
  render?: ReactElement | undefined
}

export interface RankedProps {
  rows: readonly RankedRow[]
  caption: string
  /** Hollow for rejected amounts: that money did not go out. */
  kind?: 'spent' | 'rejected' | undefined
  /** The longest bar. */
  width?: number | undefined
}

/** A few things by size. Each is a link to the list that it was counted from. */
export function Ranked({ rows, caption, kind = 'spent', width = 84 }: RankedProps) {
  const most = Math.max(...rows.map((row) => row.value), Number.EPSILON)
  return (
    <Table caption={caption} inCard>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key}>
            <Td className="w-full max-w-0">
              <span className="flex items-center gap-1.5">
                <span className="min-w-0 truncate">
                  <Label row={row} />
                </span>
                {row.note}
              </span>
            </Td>
            <Td className="max-phone:hidden print:hidden">
              <Bar kind={kind} share={row.value / most} width={width} />
            </Td>
            <Td align="right" className="font-medium">
              {row.figure}
            </Td>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}

function Label({ row }: { row: RankedRow }) {
  const isLink = row.href !== undefined || row.render !== undefined
  if (!isLink) return <span className="text-ink">{row.label}</span>
  return linkElement(row.render, row.href, row.label, { className: 'text-ink hover:text-accent' })
}

interface BarProps {
  kind: 'spent' | 'rejected'
  share: number
  width: number
}

function Bar({ kind, share, width }: BarProps) {
  const long = Math.max(2, share * (width - 2))
  return (
    <svg aria-hidden="true" className="block" height="10" width={width}>
      {kind === 'spent' ? (
        <rect className={SPENT} height="8" rx="2" width={long} y="1" />
      ) : (
        <rect className={HOLLOW} height="8.5" rx="2" width={long} x=".75" y=".75" />
      )}
    </svg>
  )
}

import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface DiffRow {
  label: ReactNode
  /** Undefined: the thing was not there. */
  before?: ReactNode
  after?: ReactNode
  /** A row that is only shown for its context. */
  same?: boolean | undefined
  /** The old content stays, and something is added to it: it is not struck through. */
  kept?: boolean | undefined
}

export interface DiffProps {
  rows: readonly DiffRow[]
  /** The names of the two sides, such as "Version 4, active" and "Version 5". */
  heads: readonly [ReactNode, ReactNode]
  caption?: string | undefined
}

const CELL = 'border-t border-line px-3 py-2.25 text-left align-top font-regular'

/** Old and new values, side by side. Below 480 px the sides stand under their label. */
export function Diff({ rows, heads, caption = 'Changes' }: DiffProps) {
  return (
    <div className="overflow-hidden rounded-3 border border-line">
      <table className="w-full table-fixed border-separate border-spacing-0">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-small text-ink-3">
            <th className="px-3 py-2.25 max-phone:w-[30%] phone:w-37.5" scope="col">
              <span className="sr-only">Field</span>
            </th>
            <th className="px-3 py-2.25 text-left font-regular" scope="col">
              {heads[0]}
            </th>
            <th className="px-3 py-2.25 text-left font-regular" scope="col">
              {heads[1]}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a comparison do not move.
            <tr key={index}>
              <th className={CELL} scope="row">
                {row.label}
              </th>
              <Side kind="before" row={row} />
              <Side kind="after" row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Side({ row, kind }: { row: DiffRow; kind: 'before' | 'after' }) {
  const content = row[kind]
  if (content === undefined || row.same || (kind === 'before' && row.kept)) {
    return <td className={cx(CELL, content === undefined && 'text-ink-3')}>{content ?? '–'}</td>
  }
  if (kind === 'before') {
    return (
      <td className={cx(CELL, 'bg-no-soft')}>
        <del className="decoration-no-fill">{content}</del>
      </td>
    )
  }
  return (
    <td className={cx(CELL, 'bg-ok-soft')}>
      <ins className="no-underline">{content}</ins>
    </td>
  )
}

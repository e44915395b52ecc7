import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface DescriptionListProps {
  rows: readonly { label: ReactNode; value: ReactNode; key?: string | undefined }[]
  /** The width of the labels. */
  wide?: boolean | undefined
}

/** Labels and values in two columns. Rows without a value are left out. */
export function DescriptionList({ rows, wide = false }: DescriptionListProps) {
  const shown = rows.filter(({ value }) => value !== undefined && value !== null && value !== '')
  return (
    <dl
      className={cx(
        'grid gap-x-3 gap-y-1.75',
        wide ? 'grid-cols-[10rem_minmax(0,1fr)]' : 'grid-cols-[7rem_minmax(0,1fr)]',
      )}
    >
      {shown.map((row, index) => (
        <div className="contents" key={row.key ?? index}>
          <dt className="text-ink-3">{row.label}</dt>
          <dd className="min-w-0">{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}

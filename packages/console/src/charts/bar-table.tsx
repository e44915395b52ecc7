import type { BarDay } from './bar-day.ts'
import { DataTable } from './data-table.tsx'

interface BarTableProps {
  days: readonly BarDay[]
  label: string
  /** Behind the names of the columns: "USD". */
  unit: string | undefined
}

/** The days of a chart as a table. */
export function BarTable({ days, label, unit }: BarTableProps) {
  const behind = unit === undefined ? '' : `, ${unit}`
  return (
    <DataTable
      caption={label}
      columns={[
        { id: 'day', header: 'Day', text: (day: BarDay) => day.label, order: (day) => day.key },
        {
          id: 'spent',
          header: `Spent${behind}`,
          align: 'right',
          text: (day) => day.spentText,
          order: (day) => day.spent,
        },
        {
          id: 'held',
          header: `Held${behind}`,
          align: 'right',
          text: (day) => day.heldText,
          order: (day) => day.held,
        },
        {
          id: 'rejected',
          header: `Rejected${behind}`,
          align: 'right',
          text: (day) => day.rejectedText,
          order: (day) => day.rejected,
        },
      ]}
      rowKey={(day) => day.key}
      rows={days}
    />
  )
}

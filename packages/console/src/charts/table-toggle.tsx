import { ChartColumn, List } from 'lucide-react'
import { IconButton } from '../ui/icon-button.tsx'

export interface TableToggleProps {
  asTable: boolean
  onChange: (asTable: boolean) => void
}

/** Every chart can be read as a table. */
export function TableToggle({ asTable, onChange }: TableToggleProps) {
  return (
    <IconButton
      data-print="none"
      icon={
        asTable ? (
          <ChartColumn aria-hidden="true" size={14} />
        ) : (
          <List aria-hidden="true" size={14} />
        )
      }
      label={asTable ? 'As a chart' : 'As a table'}
      onClick={() => onChange(!asTable)}
      size="sm"
    />
  )
}

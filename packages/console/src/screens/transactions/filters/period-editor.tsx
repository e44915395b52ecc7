import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { TransactionSearch } from './filters.ts'
import { lastDate, PERIODS, toOfLastDate } from './period.ts'

interface PeriodEditorProps {
  readonly search: TransactionSearch
  readonly onChange: (change: TransactionSearch) => void
}

/** The usual periods by one press, or two days. */
export function PeriodEditor({ search, onChange }: PeriodEditorProps) {
  const given = search['from'] ?? ''
  const [from, setFrom] = useState(/^\d{4}-/.test(given) ? given.slice(0, 10) : '')
  const [to, setTo] = useState(lastDate(search['to']))
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ from: from === '' ? undefined : from, to: toOfLastDate(to) })
      }}
    >
      <div className="grid grid-cols-2 gap-1.5">
        {PERIODS.map((period) => (
          <Button
            key={period.from}
            size="sm"
            aria-pressed={given === period.from && search['to'] === undefined}
            onClick={() => onChange({ from: period.from, to: undefined })}
          >
            {period.label}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <TextField
          label="From"
          type="date"
          size="sm"
          value={from}
          onChange={setFrom}
          max={to || undefined}
        />
        <TextField
          label="To, inclusive"
          type="date"
          size="sm"
          value={to}
          onChange={setTo}
          min={from || undefined}
        />
      </div>
      <Button type="submit" variant="primary" size="sm" disabled={from === '' && to === ''}>
        Show these days
      </Button>
    </form>
  )
}

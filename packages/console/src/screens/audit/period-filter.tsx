import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type Period, periods } from './period.ts'

interface PeriodFilterProps extends Period {
  readonly timezone: string
  readonly now: Date
  readonly onApply: (period: Period) => void
}

/** A period by one press, or two dates in the zone of the organization. */
export function PeriodFilter({ from, to, timezone, now, onApply }: PeriodFilterProps) {
  const [first, setFirst] = useState(from?.slice(0, 10) ?? '')
  const [end, setEnd] = useState(to?.slice(0, 10) ?? '')
  return (
    <form
      className="grid gap-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        onApply({ from: first || undefined, to: end || undefined })
      }}
    >
      <div className="flex flex-wrap gap-1.5">
        {periods(timezone, now).map(({ label, period }) => (
          <Button key={label} size="sm" onClick={() => onApply(period)}>
            {label}
          </Button>
        ))}
      </div>
      <TextField label="From" type="date" value={first} onChange={setFirst} size="sm" />
      <TextField label="Before" type="date" value={end} onChange={setEnd} size="sm" />
      <p className="text-small text-ink-3">Days begin in {timezone}.</p>
      <Button type="submit" size="sm">
        Show
      </Button>
    </form>
  )
}

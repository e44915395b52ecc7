import { type FormEvent, type ReactElement, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { addDays, type Day, daysBetween, isDay } from '../../words/days.ts'
import { LONGEST, type Range } from './range.ts'

interface RangePopoverProps {
  readonly range: Range
  readonly today: Day
  readonly trigger: ReactElement
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** `to` is the day after the last one. */
  readonly onChoose: (days: { readonly from: Day; readonly to: Day }) => void
}

/** Two days. The fields show the last day itself, the address the day after it, as the API does. */
export function RangePopover(props: RangePopoverProps) {
  const { range, today, trigger, isOpen, onOpenChange, onChoose } = props
  const [from, setFrom] = useState(range.from)
  const [last, setLast] = useState(addDays(range.to, -1))
  const [isTried, setIsTried] = useState(false)
  const problem = problemOf(from, last)

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsTried(true)
    if (problem === undefined) onChoose({ from, to: addDays(last, 1) })
  }
  return (
    <Popover
      align="end"
      label="Choose days"
      onOpenChange={onOpenChange}
      open={isOpen}
      trigger={trigger}
    >
      <form className="grid gap-3" noValidate onSubmit={submit}>
        <TextField label="First day" max={today} onChange={setFrom} type="date" value={from} />
        <TextField
          error={isTried ? problem : undefined}
          label="Last day"
          max={today}
          onChange={setLast}
          type="date"
          value={last}
        />
        <Button type="submit" variant="primary">
          Show these days
        </Button>
      </form>
    </Popover>
  )
}

function problemOf(from: string, last: string): string | undefined {
  if (!isDay(from) || !isDay(last)) return 'Enter both days.'
  if (last < from) return 'The last day is before the first.'
  return daysBetween(from, last) >= LONGEST ? `At most ${LONGEST} days.` : undefined
}

import { X } from 'lucide-react'
import { useTimezone } from '../../parts/when.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fromLocalText, toLocalText } from '../../words/zoned-time.ts'

interface TimeFieldProps {
  /** An instant (ISO 8601); empty for now. */
  readonly at: string
  readonly onChange: (at: string) => void
  readonly error: string | undefined
}

/** The time of the spend, in the organization's zone. Without one, the spend is judged as of now. */
export function TimeField({ at, onChange, error }: TimeFieldProps) {
  const timezone = useTimezone()
  return (
    <TextField
      label="Time"
      note="optional"
      type="datetime-local"
      value={at === '' ? '' : toLocalText(new Date(at), timezone)}
      onChange={(text) => onChange(fromLocalText(text, timezone)?.toISOString() ?? '')}
      error={error}
      help={`Empty: now. In ${timezone}, at most a year away.`}
      end={
        at === '' ? undefined : (
          <IconButton
            size="sm"
            variant="quiet"
            label="Judge as of now"
            icon={<X size={14} aria-hidden />}
            onClick={() => onChange('')}
          />
        )
      }
    />
  )
}

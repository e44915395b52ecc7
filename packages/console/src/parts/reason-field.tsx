import { TextField } from '../ui/text-field.tsx'

interface ReasonFieldProps {
  readonly value: string
  readonly onChange: (reason: string) => void
}

/** The reason for a change, which the audit log keeps. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  return (
    <TextField
      label="Reason"
      maxLength={500}
      note="optional, for the audit log"
      onChange={onChange}
      value={value}
    />
  )
}

import { useState } from 'react'
import { NativeSelect } from '../../../../ui/native-select.tsx'
import { durationWords } from '../../../../words/windows.ts'
import { DurationField } from './duration-field.tsx'

interface ExpiresFieldProps {
  /** "30m", or empty for the default, which is the same. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  readonly was: string | undefined
}

const DEFAULT = '30m'
const COMMON = ['5m', '15m', DEFAULT, '1h', '4h', '1d', '7d']

/** How long a request for approval waits: a common time, or a number of your own. */
export function ExpiresField({ value, onChange, error, was }: ExpiresFieldProps) {
  const shown = value === '' ? DEFAULT : value
  const [isOther, setOther] = useState(!COMMON.includes(shown))
  if (isOther) {
    return (
      <DurationField
        error={error}
        label="The request expires in"
        onChange={onChange}
        value={value}
        was={was}
      />
    )
  }
  return (
    <div className="w-26">
      <NativeSelect
        hideLabel
        label="The request expires in"
        onChange={(next) => (next === 'other' ? setOther(true) : onChange(next))}
        options={[
          ...COMMON.map((one) => ({ value: one, label: shortWords(one) })),
          { value: 'other', label: 'Other …' },
        ]}
        value={shown}
        was={was?.replace(/\d+[smhd]\b/, durationWords)}
      />
    </div>
  )
}

function shortWords(duration: string): string {
  return durationWords(duration).replace(/ minutes?$/, ' min')
}

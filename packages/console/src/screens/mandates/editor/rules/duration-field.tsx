import { NativeSelect } from '../../../../ui/native-select.tsx'
import { NumberField } from '../../../../ui/number-field.tsx'

type Unit = 's' | 'm' | 'h' | 'd'

interface DurationFieldProps {
  /** "30m", or empty for the default. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly error?: string | undefined
  readonly was?: string | undefined
  /** Shown while the field is empty. */
  readonly placeholder?: string
}

const UNITS: readonly { readonly value: Unit; readonly label: string }[] = [
  { value: 's', label: 'seconds' },
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
]

/** A duration: a number and its unit. */
export function DurationField(props: DurationFieldProps) {
  const { value, onChange, label, error, was, placeholder } = props
  const number = value.replace(/\D/g, '')
  const unit = UNITS.find((one) => value.endsWith(one.value))?.value ?? 'm'
  return (
    <div className="flex items-start gap-1.5">
      <div className="w-16">
        <NumberField
          error={error}
          hideLabel
          label={label}
          onChange={(next) => onChange(next === '' ? '' : `${next}${unit}`)}
          placeholder={placeholder}
          value={number}
          was={was ? was.replace(/(\d+)([smhd])\b/, (_, n, u) => `${n} ${unitWord(u)}`) : undefined}
        />
      </div>
      <div className="w-28">
        <NativeSelect
          aria-label={`${label}, unit`}
          onChange={(next) => onChange(`${number === '' ? '1' : number}${next}`)}
          options={UNITS}
          value={unit}
        />
      </div>
    </div>
  )
}

function unitWord(unit: string): string {
  return UNITS.find((one) => one.value === unit)?.label ?? unit
}

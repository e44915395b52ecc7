import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from './button-classes.ts'
import { cx } from './cx.ts'
import { type FieldTexts, MaybeField, useField } from './field.tsx'
import { splitFieldTexts } from './field-texts.ts'
import { type FieldSize, frameClass } from './input-classes.ts'

export interface NativeSelectProps<V extends string> extends FieldTexts {
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: string; icon?: ReactNode }[]
  size?: FieldSize | undefined
  /** Looks like a button and is as wide as its words. */
  look?: 'field' | 'button' | undefined
  'aria-label'?: string | undefined
}

/**
 * One of a short list of words, by the browser's own list. For pages with many of them, such as the
 * form of a mandate, which would otherwise load the popups of Base UI before it shows anything.
 */
export function NativeSelect<V extends string>(props: NativeSelectProps<V>) {
  const { texts, rest } = splitFieldTexts(props)
  return (
    <MaybeField {...texts}>
      <Control {...rest} />
    </MaybeField>
  )
}

function Control<V extends string>(props: Omit<NativeSelectProps<V>, keyof FieldTexts>) {
  const { value, onChange, options, size = 'md', look = 'field' } = props
  const field = useField()
  const { isChanged = false, ...wiring } = field ?? {}
  const isButton = look === 'button'
  const icon = options.find((option) => option.value === value)?.icon
  const frame = isButton
    ? buttonClass({ variant: 'default', size, off: false })
    : frameClass({ size, invalid: field?.['aria-invalid'], changed: isChanged })
  return (
    <span
      className={cx(
        frame,
        'relative p-0! outline-focus focus-within:outline-2 focus-within:outline-offset-1',
      )}
    >
      {icon ? <span className="pointer-events-none absolute left-2.25">{icon}</span> : null}
      <select
        aria-label={props['aria-label']}
        {...wiring}
        className={cx(
          'min-w-0 flex-1 cursor-default appearance-none self-stretch truncate rounded-2 border-0 bg-transparent pr-7 outline-none focus-visible:outline-none [&>option]:bg-raised [&>option]:text-ink',
          icon ? 'pl-7.5' : 'pl-2.5',
          isButton && 'field-sizing-content font-medium',
        )}
        onChange={(event) => onChange(event.target.value as V)}
        value={value}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute right-2.25 text-ink-3"
        size={14}
      />
    </span>
  )
}

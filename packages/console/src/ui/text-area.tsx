import type { ComponentProps } from 'react'
import { type FieldTexts, MaybeField, useField } from './field.tsx'
import { splitFieldTexts } from './field-texts.ts'
import { frameClass } from './input-classes.ts'

type AreaProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'required'>

export interface TextAreaProps extends AreaProps, FieldTexts {
  value: string
  onChange: (value: string) => void
  mono?: boolean | undefined
}

/** Several lines of text. It grows with them. */
export function TextArea(props: TextAreaProps) {
  const { texts, rest } = splitFieldTexts(props)
  return (
    <MaybeField {...texts}>
      <Control {...rest} />
    </MaybeField>
  )
}

function Control(props: Omit<TextAreaProps, keyof FieldTexts>) {
  const { value, onChange, mono, className, rows = 3, ...rest } = props
  const field = useField()
  const { isChanged = false, ...wiring } = field ?? {}
  const frame = frameClass({
    invalid: field?.['aria-invalid'],
    changed: isChanged,
    off: rest.disabled,
  })
  return (
    <textarea
      rows={rows}
      {...wiring}
      {...rest}
      className={`${frame} max-h-80 resize-y py-1.5 leading-5 field-sizing-content focus-visible:rounded-2 ${mono ? 'font-mono text-small' : ''} ${className ?? ''}`}
      onChange={(event) => onChange(event.target.value)}
      // An area that fits its text ignores its rows.
      style={{ minHeight: `${rows * 1.25 + 0.875}rem` }}
      value={value}
    />
  )
}

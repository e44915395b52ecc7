import type { ComponentProps, ReactNode } from 'react'
import { type FieldTexts, MaybeField, useField } from './field.tsx'
import { splitFieldTexts } from './field-texts.ts'
import { type FieldSize, frameClass, INPUT, UNIT } from './input-classes.ts'

type InputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'size' | 'required'>

export interface TextFieldProps extends InputProps, FieldTexts {
  value: string
  onChange: (value: string) => void
  size?: FieldSize | undefined
  /** Before the text, such as a magnifying glass. */
  icon?: ReactNode
  /** Behind the text: a unit, a button. */
  end?: ReactNode
  mono?: boolean | undefined
  alignEnd?: boolean | undefined
}

/** One line of text. With a `label` it is a whole field, without one it takes the Field around it. */
export function TextField(props: TextFieldProps) {
  const { texts, rest } = splitFieldTexts(props)
  return (
    <MaybeField {...texts}>
      <Control {...rest} />
    </MaybeField>
  )
}

function Control(props: Omit<TextFieldProps, keyof FieldTexts>) {
  const { value, onChange, size, icon, end, mono, alignEnd, className, ...rest } = props
  const field = useField()
  const { isChanged = false, ...wiring } = field ?? {}
  return (
    <span
      className={frameClass({
        size,
        invalid: field?.['aria-invalid'] ?? rest['aria-invalid'] === true,
        changed: isChanged,
        off: rest.disabled,
      })}
    >
      {icon}
      <input
        autoComplete="off"
        type="text"
        {...wiring}
        {...rest}
        className={`${INPUT} ${mono ? 'font-mono' : ''} ${alignEnd ? 'text-right' : ''} ${className ?? ''}`}
        onChange={(event) => onChange(event.target.value)}
        value={value}
      />
      {typeof end === 'string' ? <span className={UNIT}>{end}</span> : end}
    </span>
  )
}

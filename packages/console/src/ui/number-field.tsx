import { type KeyboardEvent, useState } from 'react'
import { numberProblem, onlyDigits, stepped } from './number-text.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface NumberFieldProps
  extends Omit<TextFieldProps, 'type' | 'end' | 'min' | 'max' | 'step'> {
  min?: number | undefined
  max?: number | undefined
  step?: number | undefined
  /** Behind the number: "minutes". */
  unit?: string | undefined
}

/** A whole number as text. Arrow up and down change it by a step. */
export function NumberField({ min, max, step = 1, unit, error, ...rest }: NumberFieldProps) {
  const [wasLeft, setLeft] = useState(false)
  const range = { min, max }
  const problem = wasLeft ? numberProblem(rest.value, range) : null
  function move(event: KeyboardEvent<HTMLInputElement>) {
    const by = event.key === 'ArrowUp' ? step : event.key === 'ArrowDown' ? -step : 0
    if (by === 0) return
    event.preventDefault()
    rest.onChange(stepped(rest.value, by, range))
  }
  return (
    <TextField
      inputMode="numeric"
      {...rest}
      end={unit}
      error={error ?? problem}
      onBlur={(event) => {
        setLeft(true)
        rest.onBlur?.(event)
      }}
      onChange={(text) => rest.onChange(onlyDigits(text))}
      onKeyDown={move}
    />
  )
}

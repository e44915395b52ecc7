import { useState } from 'react'
import { groupedMoney, moneyProblem, tidyMoney, typedMoney } from './money-text.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface MoneyFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'inputMode'> {
  /** Decimal text. `moneyValue` returns the value for the API: a text that is no amount stays. */
  value: string
  currency: string
}

/**
 * An amount of money. It is tidied when the field is left: "250" becomes "250.00". Outside of the
 * field, thousands are grouped, but the value stays plain.
 */
export function MoneyField({ currency, error, ...rest }: MoneyFieldProps) {
  const [wasLeft, setLeft] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const problem = wasLeft ? moneyProblem(rest.value) : null
  return (
    <TextField
      inputMode="decimal"
      maxLength={28}
      {...rest}
      end={currency}
      error={error ?? problem}
      onBlur={(event) => {
        setFocused(false)
        setLeft(true)
        const tidy = tidyMoney(rest.value)
        if (tidy !== rest.value) rest.onChange(tidy)
        rest.onBlur?.(event)
      }}
      onChange={(text) => rest.onChange(typedMoney(text))}
      onFocus={(event) => {
        setFocused(true)
        rest.onFocus?.(event)
      }}
      value={isFocused ? rest.value : groupedMoney(rest.value)}
    />
  )
}

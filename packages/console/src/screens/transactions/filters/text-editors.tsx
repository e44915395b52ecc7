import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { MoneyField } from '../../../ui/money-field.tsx'
import { moneyValue } from '../../../ui/money-text.ts'
import { TextField } from '../../../ui/text-field.tsx'
import type { TransactionSearch } from './filters.ts'

interface TextEditorProps {
  readonly label: string
  readonly help?: string | undefined
  readonly value: string
  readonly onApply: (value: string) => void
}

/** A filter that is one text. */
export function TextEditor({ label, help, value, onApply }: TextEditorProps) {
  const [text, setText] = useState(value)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(text.trim())
      }}
    >
      <TextField label={label} help={help} value={text} onChange={setText} maxLength={253} />
      <Button type="submit" variant="primary" size="sm">
        Apply
      </Button>
    </form>
  )
}

interface AmountEditorProps {
  readonly search: TransactionSearch
  readonly onApply: (change: TransactionSearch) => void
}

/** The smallest and the largest amount. Amounts of all currencies are compared as numbers. */
export function AmountEditor({ search, onApply }: AmountEditorProps) {
  const [min, setMin] = useState(search['min'] ?? '')
  const [max, setMax] = useState(search['max'] ?? '')
  const isWrong = [min, max].some((text) => text !== '' && moneyValue(text) === null)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWrong) return
        onApply({ min: moneyValue(min) ?? undefined, max: moneyValue(max) ?? undefined })
      }}
    >
      <div className="grid grid-cols-2 gap-2">
        <MoneyField label="At least" size="sm" currency="" value={min} onChange={setMin} />
        <MoneyField label="At most" size="sm" currency="" value={max} onChange={setMax} />
      </div>
      <p className="text-small text-ink-3">In each transaction’s own currency.</p>
      <Button type="submit" variant="primary" size="sm" disabled={isWrong}>
        Apply
      </Button>
    </form>
  )
}

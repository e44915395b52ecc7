import type { Vendor } from '@purser/sdk'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'

interface CategoryFilterProps {
  readonly vendors: readonly Vendor[]
  readonly value: string
  readonly onApply: (category: string | undefined) => void
}

/** A category of the directory, or one that is typed. */
export function CategoryFilter({ vendors, value, onApply }: CategoryFilterProps) {
  const [text, setText] = useState(value)
  const known = [...new Set(vendors.flatMap(({ category }) => category ?? []))].sort()
  function submit(event: FormEvent) {
    event.preventDefault()
    onApply(text.trim() || undefined)
  }
  return (
    <form className="grid gap-2.5" onSubmit={submit}>
      <Combobox
        label="Category"
        freeText
        value={text}
        options={known.map((category) => ({ value: category, label: category }))}
        onChange={(next) => {
          setText(next)
          if (known.includes(next)) onApply(next)
        }}
      />
      <Button type="submit" size="sm">
        Show
      </Button>
    </form>
  )
}

import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import type { Named } from './use-leaf-names.ts'

interface IdFilterProps {
  readonly label: string
  readonly options: readonly Named[]
  readonly value: string
  /** Undefined removes the filter. */
  readonly onApply: (value: string | undefined) => void
}

/** Chooses a thing by its name, or takes an id as it is. */
export function IdFilter({ label, options, value, onApply }: IdFilterProps) {
  const [text, setText] = useState(value)
  const isChoice = options.some(({ id }) => id === text)
  return (
    <form
      className="grid gap-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(text.trim() === '' ? undefined : text.trim())
      }}
    >
      <Combobox
        label={label}
        freeText
        value={text}
        options={options.map(({ id, name }) => ({ value: id, label: name, hint: id }))}
        onChange={(next) => {
          setText(next)
          // A choice of the list is complete; typed text waits for Enter.
          if (options.some(({ id }) => id === next)) onApply(next)
        }}
      />
      {isChoice ? null : (
        <Button type="submit" size="sm">
          Show
        </Button>
      )}
    </form>
  )
}

import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface NewViewProps {
  readonly isEmpty: boolean
  readonly onSave: (name: string) => void
}

/** Asks for the name of a view. */
export function NewView({ isEmpty, onSave }: NewViewProps) {
  const [name, setName] = useState('')
  if (isEmpty) {
    return <p className="text-ink-2">Choose filters first. A view keeps them under a name.</p>
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') onSave(name.trim())
      }}
    >
      <TextField
        label="Name"
        help="Kept in this browser, as a tab of this list."
        placeholder="Above 100 USD"
        value={name}
        onChange={setName}
        maxLength={40}
      />
      <Button type="submit" variant="primary" size="sm" disabled={name.trim() === ''}>
        Save view
      </Button>
    </form>
  )
}

import { Bookmark, BookmarkCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { filtersOf, type TransactionSearch } from './filters/filters.ts'
import { removeView, saveView, shownView, useViews } from './views.ts'

interface SaveViewProps {
  readonly search: TransactionSearch
  readonly onChange: (change: TransactionSearch) => void
}

/** Keeps the filters under a name, as a tab of its own. */
export function SaveView({ search, onChange }: SaveViewProps) {
  const [isOpen, setOpen] = useState(false)
  const view = shownView(useViews(), search)
  const isEmpty = Object.keys(filtersOf(search)).length === 0
  const Icon = view ? BookmarkCheck : Bookmark
  return (
    <Popover
      label="Save view"
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button
          className="max-phone:hidden"
          icon={<Icon size={14} strokeWidth={1.5} aria-hidden />}
        >
          {view ? 'Saved view' : 'Save view'}
        </Button>
      }
    >
      {view ? (
        <div className="flex flex-col gap-3">
          <p className="text-ink-2">
            This browser keeps these filters as <b>{view.name}</b>.
          </p>
          <Button
            size="sm"
            variant="danger"
            onClick={() => {
              removeView(view.name)
              onChange({ view: undefined })
              toast(`The view ${view.name} is removed.`, {
                undo: () => saveView(view.name, view.search),
              })
              setOpen(false)
            }}
          >
            Remove this view
          </Button>
        </div>
      ) : (
        <NewView
          isEmpty={isEmpty}
          onSave={(name) => {
            saveView(name, search)
            onChange({ view: name })
            setOpen(false)
          }}
        />
      )}
    </Popover>
  )
}

interface NewViewProps {
  readonly isEmpty: boolean
  readonly onSave: (name: string) => void
}

function NewView({ isEmpty, onSave }: NewViewProps) {
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

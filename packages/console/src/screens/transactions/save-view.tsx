import { Bookmark, BookmarkCheck } from 'lucide-react'
import { lazy, memo, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { filtersOf, type TransactionSearch } from './filters/filters.ts'
import { removeView, saveView, shownView, useViews } from './views.ts'

const NewView = lazy(() => import('./new-view.tsx').then((it) => ({ default: it.NewView })))

interface SaveViewProps {
  readonly search: TransactionSearch
  readonly onChange: (change: TransactionSearch) => void
}

/** Keeps the filters under a name, as a tab of its own. */
export const SaveView = memo(function SaveView({ search, onChange }: SaveViewProps) {
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
        <Suspense fallback={<Skeleton rows={2} />}>
          <NewView
            isEmpty={isEmpty}
            onSave={(name) => {
              saveView(name, search)
              onChange({ view: name })
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </Popover>
  )
})

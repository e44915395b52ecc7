import { lazy, Suspense, useCallback, useRef } from 'react'
import { focusRow } from '../../keys/row-focus.ts'
import { useAfterPaint } from '../../ui/later.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DESK, useMedia } from '../../ui/use-media.ts'
import type { ListHandle } from './list-pane.tsx'
import { listPane } from './list-part.ts'
import { useScreen } from './use-screen.ts'

const TransactionDrawer = lazy(() =>
  import('./drawer/drawer.tsx').then((one) => ({ default: one.TransactionDrawer })),
)

/**
 * Every decision, newest first, with the drawer that says why. A link to one transaction draws its
 * drawer first.
 */
export function Transactions() {
  const screen = useScreen()
  const { search, openId, setSearch, close } = screen
  const isOpen = openId !== undefined
  const pane = useAfterPaint(listPane, isOpen)
  const list = useRef<ListHandle>(null)
  const isBeside = useMedia(DESK)
  const onTab = useCallback(
    (tab: 'why' | 'json') => setSearch({ tab: tab === 'json' ? 'json' : undefined }, true),
    [setSearch],
  )
  const onMove = useCallback((step: 1 | -1) => list.current?.move(step), [])
  const onChanged = useCallback<ListHandle['replace']>((row) => list.current?.replace(row), [])
  const onClose = useCallback(() => {
    close()
    if (openId !== undefined) focusRow(openId)
  }, [close, openId])
  return (
    <div className="flex min-h-104 flex-1 max-tablet:h-[calc(100dvh-6.75rem)] max-tablet:flex-none tablet:min-h-0 print:block print:h-auto">
      <div className="flex min-w-0 flex-1 flex-col">
        {pane ? <pane.ListPane handle={list} screen={screen} /> : <Waiting />}
      </div>
      {isOpen ? (
        <Suspense fallback={isBeside ? <aside className="w-126 border-l border-line" /> : null}>
          <TransactionDrawer
            id={openId}
            tab={search['tab'] === 'json' ? 'json' : 'why'}
            onTab={onTab}
            onMove={onMove}
            onClose={onClose}
            onChanged={onChanged}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

function Waiting() {
  return (
    <>
      <PageHeader title="Transactions" />
      {/* The height of the tabs and the filters. */}
      <div className="h-22 border-b border-line" />
      <Skeleton rows={12} shape="table" />
    </>
  )
}

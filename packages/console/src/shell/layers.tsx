import { lazy, Suspense, useSyncExternalStore } from 'react'
import { readQuestion, watchQuestion } from '../data/ask-again.ts'
import { useShortcut } from '../keys/use-shortcut.ts'
import { openPalette, openShortcuts, readLayer, watchLayer } from './palette-state.ts'

const Palette = lazy(() => import('./palette.tsx').then((it) => ({ default: it.Palette })))
const ShortcutList = lazy(() =>
  import('./shortcut-list.tsx').then((it) => ({ default: it.ShortcutList })),
)
const AskAgain = lazy(() => import('./ask-again.tsx').then((it) => ({ default: it.AskAgain })))

/** The layers over the page. Each one loads when it is first opened. */
export function Layers() {
  const layer = useSyncExternalStore(watchLayer, readLayer)
  const question = useSyncExternalStore(watchQuestion, readQuestion)
  useShortcut('mod+k', openPalette, { label: 'Search or run a command', group: 'Everywhere' })
  useShortcut('?', openShortcuts, { label: 'Show the shortcuts', group: 'Everywhere' })
  return (
    <Suspense>
      {layer === 'palette' ? <Palette /> : null}
      {layer === 'shortcuts' ? <ShortcutList /> : null}
      {question ? <AskAgain question={question} /> : null}
    </Suspense>
  )
}

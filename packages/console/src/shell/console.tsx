import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { queries } from '../data/queries.ts'
import { SessionContext } from '../data/session.ts'
import { type Live, startLive } from '../data/stream/live.ts'
import { LiveContext, useRefetchOnEvents } from '../data/stream/use-live.ts'
import { listenForShortcuts } from '../keys/shortcuts.ts'
import { ApprovalNotices } from './approval-notices.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { FrozenBar } from './frozen-bar.tsx'
import { Layers } from './layers.tsx'
import { PlaceShortcuts } from './place-shortcuts.tsx'
import { Rail } from './rail.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame of every page behind the doors: the rail, and one sheet. */
export function Console({ children }: { readonly children: ReactNode }) {
  const { data: me } = useQuery(queries.me())
  const [live, setLive] = useState<Live | null>(null)
  useEffect(() => {
    const started = startLive()
    setLive(started)
    return () => started.stop()
  }, [])
  useEffect(listenForShortcuts, [])
  if (!me || !live) return null
  return (
    <SessionContext.Provider value={me}>
      <LiveContext.Provider value={live}>
        <Frame>{children}</Frame>
      </LiveContext.Provider>
    </SessionContext.Provider>
  )
}

function Frame({ children }: { readonly children: ReactNode }) {
  useRefetchOnEvents()
  return (
    <div className="flex min-h-dvh max-tablet:flex-col print:block">
      <a
        href="#main"
        className="absolute left-3 -top-20 z-(--z-toast) rounded-2 bg-navy px-3 py-2 text-on-navy focus:top-3"
      >
        Skip to content
      </a>
      <TopBar />
      <Rail />
      <main
        id="main"
        tabIndex={-1}
        className="relative m-2 ml-0 flex min-w-0 flex-1 flex-col rounded-4 border border-line bg-sheet shadow-1 outline-none max-tablet:m-0 max-tablet:mb-14 max-tablet:rounded-b-none max-tablet:border-x-0 tablet:h-[calc(100dvh-1rem)] tablet:overflow-auto print:m-0 print:h-auto print:border-0 print:shadow-none"
      >
        <FrozenBar />
        {children}
      </main>
      <BottomBar />
      <PlaceShortcuts />
      <ApprovalNotices />
      <Layers />
    </div>
  )
}

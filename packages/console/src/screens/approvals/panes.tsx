import { type ReactNode, useEffect } from 'react'
import { useNavigate } from '../../router/use-router.ts'
import { useMedia } from '../../ui/use-media.ts'

/** From this width on, the list and the request stand side by side. */
const WIDE = '(min-width: 53.8125rem)'

export function useIsWide(): boolean {
  return useMedia(WIDE)
}

interface PanesProps {
  readonly list: ReactNode
  /** The chosen request; null while none is chosen. */
  readonly chosen: ReactNode | null
  readonly label: string
}

/** The list beside the chosen request. On a phone, the chosen request takes the place of the list. */
export function Panes({ list, chosen, label }: PanesProps) {
  const isWide = useIsWide()
  const hasList = isWide || chosen === null
  return (
    <div className="flex-1 tablet:grid tablet:min-h-0 tablet:grid-cols-[18rem_minmax(0,1fr)] tablet:overflow-hidden desk:grid-cols-[22.5rem_minmax(0,1fr)] print:block">
      {hasList ? (
        <nav
          aria-label={label}
          className="border-line tablet:min-h-0 tablet:overflow-y-auto tablet:rounded-bl-4 tablet:border-r tablet:bg-well print:hidden"
        >
          {list}
        </nav>
      ) : null}
      {chosen}
    </div>
  )
}

/** Opens the first row beside the list, so that a wide page is never half empty. */
export function useOpenFirst(
  id: string | undefined,
  first: string | undefined,
  search: Readonly<Record<string, string>>,
): void {
  const isWide = useIsWide()
  const navigate = useNavigate()
  const target = isWide && id === undefined ? first : undefined
  useEffect(() => {
    if (target === undefined) return
    // The address names the request, so that another one cannot take its place before a press.
    void navigate({ to: '/approvals/$id', params: { id: target }, search, replace: true })
  }, [target, navigate, search])
}

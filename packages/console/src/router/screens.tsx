import { Component, type ComponentType, type ReactNode, useEffect, useLayoutEffect } from 'react'
import type { Router, Shown } from './router.ts'
import { RouterContext, useShown } from './use-router.ts'

interface Views {
  readonly NotFound: ComponentType
  readonly Failed: ComponentType<{ readonly error: unknown }>
}

interface ScreensProps extends Views {
  readonly router: Router
}

/** Shows the screen of the address, in its frame. */
export function Screens({ router, ...views }: ScreensProps) {
  useEffect(() => void router.retry(), [router])
  return (
    <RouterContext value={router}>
      <Drawn router={router} {...views} />
    </RouterContext>
  )
}

function Drawn({ router, NotFound, Failed }: ScreensProps) {
  const shown = useShown((now) => now)
  useLayoutEffect(() => {
    if (!shown) return
    router.drawn()
    // For tests: the page shows its address when both are the same.
    document.documentElement.dataset['at'] = shown.href
  }, [router, shown])
  if (!shown) return null
  const { screen, visit } = shown
  if (!screen) return <NotFound />
  const Frame = screen.frame?.loaded()
  const inside = (
    <Boundary Failed={Failed} visit={visit}>
      <View Failed={Failed} shown={shown} />
    </Boundary>
  )
  if (!Frame) return inside
  return (
    <Boundary Failed={Failed} visit={visit}>
      <Frame>{inside}</Frame>
    </Boundary>
  )
}

function View({ shown, Failed }: { readonly shown: Shown } & Pick<Views, 'Failed'>) {
  const Loaded = shown.screen?.view.loaded()
  if ('error' in shown || !Loaded) return <Failed error={shown.error} />
  return <Loaded />
}

interface BoundaryProps extends Pick<Views, 'Failed'> {
  readonly visit: number
  readonly children: ReactNode
}

interface BoundaryState {
  readonly visit?: number
  readonly failure?: { readonly error: unknown } | undefined
}

/** Shows a failure in place of the part that failed, until the next visit. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {}

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error } }
  }

  static getDerivedStateFromProps(
    { visit }: BoundaryProps,
    state: BoundaryState,
  ): BoundaryState | null {
    return state.visit === visit ? null : { visit, failure: undefined }
  }

  override render(): ReactNode {
    const { failure } = this.state
    const { Failed, children } = this.props
    return failure ? <Failed error={failure.error} /> : children
  }
}

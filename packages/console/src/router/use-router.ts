import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import type { Params, Search } from './address.ts'
import type { Move, Router, Shown } from './router.ts'

export const RouterContext = createContext<Router | null>(null)

export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (!router) throw new Error('There is no router around this part.')
  return router
}

/** Selects a part of the shown place. React draws the caller again when this part changes. */
export function useShown<T>(select: (shown: Shown | undefined) => T): T {
  const router = useRouter()
  return useSyncExternalStore(router.subscribe, () => select(router.shown()))
}

export function usePathname(): string {
  return useShown((shown) => shown?.pathname ?? location.pathname)
}

const NONE = {}

/** The parameters of the address that the screen knows. */
export function useSearch<S extends object = Search>(): S {
  return useShown((shown) => shown?.search ?? NONE) as S
}

export function useParams(): Params {
  return useShown((shown) => shown?.params ?? NONE)
}

export function useNavigate(): Router['navigate'] {
  return useRouter().navigate
}

/** Moves on as soon as it is drawn. */
export function Navigate(move: Move): null {
  const router = useRouter()
  const first = useRef(move)
  useEffect(() => void router.navigate(first.current), [router])
  return null
}

/** Keeps the person on the page while `block` answers true, and asks before the tab closes. */
export function useBlocker(block: () => boolean, asksBeforeUnload: boolean): void {
  const router = useRouter()
  const latest = useRef(block)
  useEffect(() => {
    latest.current = block
  })
  useEffect(() => router.block(() => latest.current()), [router])
  useEffect(() => {
    if (!asksBeforeUnload) return undefined
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [asksBeforeUnload])
}

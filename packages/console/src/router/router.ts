import { type Later, preload } from '../ui/later.ts'
import { hrefOf, type Params, type Place, type Search, type Target } from './address.ts'
import { followEntries } from './entries.ts'
import { match, Redirect, type Screen } from './screen.ts'

export interface Move extends Target {
  /** In place of the entry of the browser's history, not after it. */
  readonly replace?: boolean | undefined
  /** True starts at the top also if the screen stays. */
  readonly resetScroll?: boolean | undefined
}

/** The place that the page shows. */
export interface Shown extends Place {
  readonly href: string
  /** Another number for each visit of an address, also of the same one. */
  readonly visit: number
  readonly params: Params
  /** Undefined for an address that no screen has. */
  readonly screen: Screen | undefined
  /** Why the screen cannot be shown. */
  readonly error?: unknown
}

export type Router = ReturnType<typeof createRouter>

const NOTHING = () => {}

/**
 * Follows the address. A move changes the address at once, and the shown page when the screen is
 * here: the old one stays until then. The newest move wins.
 */
export function createRouter(
  screens: readonly Screen[],
  onDropped: (count: number) => void = NOTHING,
) {
  const store = createStore()
  const blockers = new Set<() => boolean>()
  let visits = 0
  const isBlocked = () => [...blockers].some((block) => block())
  const entries = followEntries(isBlocked, () => void follow())
  /** The place of the address, which is ahead of the shown place. */
  const newest = () => ({ pathname: location.pathname, ...match(screens, location) })

  async function navigate({ replace = false, resetScroll, ...target }: Move): Promise<void> {
    const { href } = new URL(hrefOf(target, newest()), location.href)
    if (isBlocked()) return
    entries.go(href, replace || href === location.href)
    await follow(resetScroll)
  }

  /** Shows the screen of the address. */
  async function follow(resetScroll = false): Promise<void> {
    const visit = ++visits
    const { pathname, search } = location
    const href = pathname + search
    const at = { href, pathname, ...match(screens, location, onDropped), visit }
    const show = (next: Shown) => {
      const isNew = resetScroll || isOther(store.shown(), next)
      store.show(next, isNew ? entries.scrollLater() : NOTHING)
    }
    try {
      await at.screen?.enter(href)
      await Promise.all(partsOf(at.screen).map((part) => part.load()))
      if (visit === visits) show(at)
    } catch (error) {
      if (visit !== visits) return
      if (error instanceof Redirect) await navigate({ ...error.target, replace: true })
      else show({ ...at, error })
    }
  }

  return {
    ...store,
    navigate,
    newest,
    /** Tries again to show the address. */
    retry: () => follow(),
    /** Asks before the page moves on. A person stays while one answers true. */
    block(blocker: () => boolean): () => void {
      blockers.add(blocker)
      return () => blockers.delete(blocker)
    },
    /** Loads the files of an address that a person may open next. */
    prepare(href: string): void {
      const { screen } = match(screens, new URL(href, location.href))
      for (const part of partsOf(screen)) preload(part)
    },
  }
}

/** Holds the shown place, for the parts that draw it. */
function createStore() {
  let shown: Shown | undefined
  let onDrawn = NOTHING
  const listeners = new Set<() => void>()
  return {
    shown: () => shown,
    show(next: Shown, afterwards: () => void): void {
      const search = same(shown?.search, next.search)
      shown = { ...next, search, params: same(shown?.params, next.params) }
      onDrawn = afterwards
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Called when the shown place is in the page. */
    drawn: () => onDrawn(),
  }
}

function partsOf(screen: Screen | undefined): readonly Later<unknown>[] {
  return screen ? [screen.view, ...(screen.frame ? [screen.frame] : [])] : []
}

/** A screen with one path shows a different thing at each address. A drawer is no new screen. */
function isOther(before: Shown | undefined, next: Shown): boolean {
  if (before?.screen !== next.screen) return true
  return next.screen?.paths.length === 1 && before?.pathname !== next.pathname
}

/** Keeps the object whose texts are the same, so that nothing is drawn again for it. */
function same<T extends Search>(before: T | undefined, next: T): T {
  return before && JSON.stringify(before) === JSON.stringify(next) ? before : next
}

import type { ComponentType, ReactNode } from 'react'
import type { Later } from '../ui/later.ts'
import { matchPath, type Params, parseSearch, type Search, type Target } from './address.ts'

/** One screen of the console, at one or more addresses. */
export interface Screen {
  /** Its own path, then those that open something over it, such as a drawer. */
  readonly paths: readonly string[]
  /** The parameters that it knows. Without a list it keeps all. */
  readonly search?: readonly string[]
  /** Throws a `Redirect` if the person may not see it now. */
  readonly enter: (href: string) => Promise<void>
  /** The frame around the screen, which stays from screen to screen. */
  readonly frame?: Later<ComponentType<{ readonly children: ReactNode }>>
  readonly view: Later<ComponentType>
}

/** Thrown in place of a screen that leads elsewhere. */
export class Redirect {
  readonly target: Target

  constructor(target: Target) {
    this.target = target
  }
}

export interface Match {
  readonly screen: Screen | undefined
  readonly params: Params
  readonly search: Search
}

/** Finds the screen of an address. `onDropped` hears how many parameters it does not know. */
export function match(
  screens: readonly Screen[],
  { pathname, search: text }: { readonly pathname: string; readonly search: string },
  onDropped: (count: number) => void = () => {},
): Match {
  const given = parseSearch(text)
  for (const screen of screens) {
    for (const path of screen.paths) {
      const params = matchPath(path, pathname)
      if (params) return { screen, params, search: known(given, screen.search, onDropped) }
    }
  }
  return { screen: undefined, params: {}, search: given }
}

function known(
  given: Search,
  names: readonly string[] | undefined,
  onDropped: (count: number) => void,
): Search {
  if (!names) return given
  const entries = Object.entries(given)
  const kept = entries.filter(([name]) => names.includes(name))
  if (kept.length < entries.length) onDropped(entries.length - kept.length)
  return Object.fromEntries(kept)
}

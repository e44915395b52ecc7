import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { RouteError } from './route-error.tsx'
import { routeTree } from './routes.tsx'
import { parseSearch, stringifySearch } from './search.ts'

/** How deep screens are in the routes: in the console, which is in the root. A drawer is deeper. */
const SCREEN = 2

export function createConsoleRouter(client: QueryClient) {
  let shown: string | undefined
  /** The sheet, if it shows a different screen now. The router keeps its place otherwise. */
  const sheetOfNewScreen = (): Element | null => {
    const path = router.state.matches[SCREEN]?.pathname
    if (path === shown) return null
    shown = path
    return document.getElementById('main')
  }
  const router = createRouter({
    routeTree,
    context: { client },
    parseSearch,
    stringifySearch,
    // A page that fails keeps the rail beside it.
    defaultErrorComponent: RouteError,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    scrollToTopSelectors: [sheetOfNewScreen],
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

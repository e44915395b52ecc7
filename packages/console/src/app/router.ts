import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { RouteError } from './route-error.tsx'
import { routeTree } from './routes.tsx'
import { parseSearch, stringifySearch } from './search.ts'

export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    parseSearch,
    stringifySearch,
    // A page that fails keeps the rail beside it.
    defaultErrorComponent: RouteError,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

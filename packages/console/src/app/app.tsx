import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createQueryClient } from '../data/query-client.ts'
import { Screens } from '../router/screens.tsx'
import { UiProvider } from '../ui/provider.tsx'
import { NotFound } from './not-found.tsx'
import { RouteError } from './route-error.tsx'
import { createConsoleRouter } from './router.ts'

export function App() {
  const [client] = useState(createQueryClient)
  const [router] = useState(() => createConsoleRouter(client))
  return (
    <QueryClientProvider client={client}>
      <UiProvider>
        <Screens Failed={RouteError} NotFound={NotFound} router={router} />
      </UiProvider>
    </QueryClientProvider>
  )
}

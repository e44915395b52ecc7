import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { createQueryClient } from '../data/query-client.ts'
import { UiProvider } from '../ui/provider.tsx'
import { toast } from '../ui/toast.tsx'
import { createConsoleRouter } from './router.ts'
import { watchDropped } from './search.ts'

/** The router reads an address several times. Each link is reported once. */
let reported = ''

watchDropped((count) => {
  if (location.href === reported) return
  reported = location.href
  const filters = count === 1 ? '1 filter of this link is' : `${count} filters of this link are`
  toast(`${filters} no longer known.`)
})

export function App() {
  const [client] = useState(createQueryClient)
  const [router] = useState(() => createConsoleRouter(client))
  return (
    <QueryClientProvider client={client}>
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>
  )
}

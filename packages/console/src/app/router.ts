import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '../router/router.ts'
import { toast } from '../ui/toast.tsx'
import { screensFor } from './screens.ts'

export function createConsoleRouter(client: QueryClient) {
  /** A link that is shown again is reported once. */
  let reported = ''
  return createRouter(screensFor(client), (count) => {
    if (location.href === reported) return
    reported = location.href
    const filters = count === 1 ? '1 filter of this link is' : `${count} filters of this link are`
    toast(`${filters} no longer known.`)
  })
}

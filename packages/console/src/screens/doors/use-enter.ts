import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'

/** Forgets what was loaded before, and opens the page that was asked for. */
export function useEnter(otherwise = '/'): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  const { next } = useSearch({ strict: false })
  return async () => {
    client.clear()
    const href = next !== undefined && isOwnPath(next) ? next : otherwise
    await router.navigate({ href, replace: true })
  }
}

/** Only a path of this gateway: a link must not lead a member to a different site. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path)
}

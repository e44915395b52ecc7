import { useQueryClient } from '@tanstack/react-query'
import { dropQuestion } from '../../data/ask-again.ts'
import { useRouter, useSearch } from '../../router/use-router.ts'
import { ownPath } from './own-path.ts'

/** Forgets the data of the earlier session, and opens the page that the person wanted. */
export function useEnter(otherwise = '/'): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  const { next } = useSearch()
  return async () => {
    dropQuestion()
    client.clear()
    // A link must not lead a member to a different site.
    const href = (next === undefined ? undefined : ownPath(next, location.origin)) ?? otherwise
    await router.navigate({ href, replace: true })
  }
}

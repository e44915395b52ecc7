import { PurserError } from '@purser/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { askAgain, neededProof } from './ask-again.ts'

const FRESH_MS = 10_000

/** Keeps the answers of the gateway. A list that the stream announces as changed is asked for again. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // The doors ask who is signed in; an ended session is an answer there.
        if (query.meta?.['mayBeSignedOut'] || neededProof(error) !== 'session') return
        void askAgain('session', null).then((isProven) => {
          if (isProven) void client.invalidateQueries()
        })
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // The SDK has repeated the request already.
        retry: false,
        refetchOnWindowFocus: true,
        throwOnError: false,
      },
    },
  })
  return client
}

/** Whether the object is not there, or belongs to a different organization. */
export function isNotFound(error: unknown): boolean {
  return PurserError.is(error) && (error.status === 404 || error.status === 410)
}

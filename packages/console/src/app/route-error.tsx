import { useRouter } from '@tanstack/react-router'
import { isNotFound } from '../data/query-client.ts'
import { asPurserError } from '../data/use-action.ts'
import { ErrorNotice } from '../page/error-notice.tsx'
import { NotFound } from './not-found.tsx'

/** A page that could not be shown at all. */
export function RouteError({ error }: { readonly error: unknown }) {
  const router = useRouter()
  if (isNotFound(error)) return <NotFound />
  return (
    <div className="p-6">
      <ErrorNotice
        title="The page could not be loaded."
        error={asPurserError(error)}
        onRetry={() => void router.invalidate()}
      />
    </div>
  )
}

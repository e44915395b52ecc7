import { isNotFound } from '../data/query-client.ts'
import { asPurserError } from '../data/use-action.ts'
import { ErrorNotice } from '../page/error-notice.tsx'
import { useRouter } from '../router/use-router.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { NotFound } from './not-found.tsx'

/** A page that could not be shown at all. */
export function RouteError({ error }: { readonly error: unknown }) {
  const router = useRouter()
  if (isNotFound(error)) return <NotFound />
  return (
    <div className="p-6">
      {isMissingFile(error) ? (
        <Notice
          action={<Button onClick={() => location.reload()}>Reload the page</Button>}
          role="alert"
          title="A file of this page could not be loaded."
          tone="no"
        >
          The gateway may have been updated since you opened the console, or it does not answer.
          Nothing was changed.
        </Notice>
      ) : (
        <ErrorNotice
          title="The page could not be loaded."
          error={asPurserError(error)}
          onRetry={() => void router.retry()}
        />
      )}
    </div>
  )
}

/** Browsers word the failure of an `import()` differently, and remember it until a reload. */
function isMissingFile(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|importing a module script|module script failed/i.test(
      error.message,
    )
  )
}

import { useQuery } from '@tanstack/react-query'
import { Check, TriangleAlert } from 'lucide-react'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Link } from '../../../router/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { deliveryQuery } from './delivery-query.ts'
import { duration } from './delivery-words.ts'

/** The answer to a test event: "204 after 92 ms. It works." */
export function TestResult({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(deliveryQuery(id))
  const last = data?.attemptLog.at(-1)
  if (error && !data) {
    return (
      <ErrorNotice
        error={asPurserError(error)}
        onRetry={() => void refetch()}
        title="The answer to the test could not be loaded."
      />
    )
  }
  if (!data || !last || last.outcome === 'started') {
    return (
      <p className="flex items-center gap-2 text-ink-2" role="status">
        <Spinner /> Sending a test event…
      </p>
    )
  }
  const took = `${last.response?.status ?? ''} after ${duration(last)}.`.trim()
  if (last.outcome === 'succeeded') {
    return (
      <Notice icon={<Check aria-hidden="true" size={16} />} role="status" tone="ok">
        <b>{took}</b> It works.
      </Notice>
    )
  }
  return (
    <Notice icon={<TriangleAlert aria-hidden="true" size={16} />} role="alert" tone="no">
      <b>{last.response ? took : 'No answer.'}</b> {last.error?.message} The URL is saved, and
      Purser tries again by itself.{' '}
      <Link
        className="underline"
        params={{ id }}
        search={(before) => before}
        to="/settings/webhook/$id"
      >
        See the attempt
      </Link>
    </Notice>
  )
}

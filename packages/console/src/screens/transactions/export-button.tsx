import { Download } from 'lucide-react'
import { lazy, memo, Suspense } from 'react'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { asQueryText, type TransactionQuery } from './filters/filters.ts'
import { exportSize } from './sentences.ts'

const CopyCurl = lazy(() =>
  import('../../parts/copy-curl.tsx').then((it) => ({ default: it.CopyCurl })),
)

interface ExportButtonProps {
  readonly query: TransactionQuery
  readonly total: number
  readonly isTotalExact: boolean
}

/** The same filters as a file. Its size is said before it starts. */
export const ExportButton = memo(function ExportButton({
  query,
  total,
  isTotalExact,
}: ExportButtonProps) {
  const filters = asQueryText(query)
  const path = `/transactions/export?format=csv${filters === '' ? '' : `&${filters}`}`
  return (
    <Popover
      label="Export as CSV"
      align="end"
      trigger={<Button icon={<Download size={14} strokeWidth={1.5} aria-hidden />}>CSV</Button>}
    >
      <div className="flex flex-col gap-3">
        <p>
          <b>{exportSize(total, isTotalExact)}.</b>{' '}
          <span className="text-ink-2">With the filters of this list, newest first.</span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            // The browser downloads with the session's cookie; nothing is held in memory.
            render={<a href={`/api/v1${path}`} download="transactions.csv" />}
          >
            Download
          </Button>
          <Suspense>
            <CopyCurl request={{ method: 'GET', path }} />
          </Suspense>
        </div>
      </div>
    </Popover>
  )
})

import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { useNow } from '../../parts/when.tsx'
import { useSearch } from '../../router/use-router.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { dayOf } from '../../words/days.ts'
import { AttentionList } from './attention-list.tsx'
import { CurrencyPicker } from './currency-picker.tsx'
import { LiveNote } from './live-note.tsx'
import { NextSteps } from './next-steps.tsx'
import { PrintLine } from './print-line.tsx'
import { rangeOf } from './range.ts'
import { RangePicker } from './range-picker.tsx'
import { Sums } from './sums.tsx'
import { useAttention } from './use-attention.ts'
import { useSums } from './use-sums.ts'

/** Is something wrong, and what have we spent? */
export function Overview() {
  useTitle('Overview')
  const search = useSearch()
  const { data: organization, error, refetch } = useQuery(queries.organization())
  if (!organization) {
    return (
      <>
        <PageHeader title="Overview" />
        <div className="p-6">
          {error ? (
            <ErrorNotice
              error={asPurserError(error)}
              onRetry={() => void refetch()}
              title="The overview could not be loaded."
            />
          ) : (
            <Skeleton shape="block" height={480} />
          )}
        </div>
      </>
    )
  }
  return <Page {...{ organization, search }} />
}

interface PageProps {
  readonly organization: { readonly timezone: string; readonly currency: string }
  readonly search: Readonly<
    Partial<Record<'range' | 'from' | 'to' | 'currency', string | undefined>>
  >
}

function Page({ organization, search }: PageProps) {
  const now = useNow()
  const today = dayOf(new Date(now), organization.timezone)
  const range = rangeOf(search, today)
  const sums = useSums(range, organization.currency, search.currency)
  const attention = useAttention()
  const { data: latest } = useQuery(queries.latestTransactions())
  const isEmpty = latest?.total === 0
  return (
    <>
      <PageHeader title="Overview" after={<LiveNote countedUpTo={sums.countedUpTo} />}>
        {isEmpty ? null : (
          <>
            <CurrencyPicker currencies={sums.currencies} value={sums.currency} />
            <RangePicker {...{ range, today }} />
            <IconButton
              icon={<Printer aria-hidden="true" size={16} strokeWidth={1.5} />}
              label="Print or save as PDF"
              onClick={() => window.print()}
              variant="default"
            />
          </>
        )}
      </PageHeader>
      <div className="flex flex-col gap-4 p-4 tablet:p-6 print:gap-2.5 print:p-0 print:pt-1.5 print:[zoom:0.86]">
        <PrintLine range={range} />
        <ErrorNotice
          error={attention.error}
          onRetry={attention.retry}
          title="Approvals and budgets could not be loaded."
        />
        <AttentionList items={attention.items} />
        <NextSteps isEmpty={isEmpty} />
        {sums.isNotReady ? (
          <Notice role="status" title="The sums are being counted for the first time.">
            This takes a minute for each million transactions. The page asks again by itself.
          </Notice>
        ) : (
          <ErrorNotice
            error={sums.error}
            onRetry={sums.retry}
            title="The sums could not be loaded."
          />
        )}
        {isEmpty ? null : <Sums {...{ sums, range, now }} />}
      </div>
    </>
  )
}

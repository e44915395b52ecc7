import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { queries } from '../../../data/queries.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useTitle } from '../../../page/use-title.ts'
import { useNow, useTimezone } from '../../../parts/when.tsx'
import { useParams, useSearch } from '../../../router/use-router.ts'
import { Badge } from '../../../ui/badge.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { formatShortDay, formatTime } from '../../../words/time.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { notAnsweringSince } from './delivery-words.ts'
import { Endpoints } from './endpoints.tsx'
import { Health } from './health.tsx'
import { NoUrl } from './no-url.tsx'
import { PausedNotices } from './paused-notices.tsx'
import { fromOf } from './ranges.ts'
import { ResendProgress } from './resend-progress.tsx'
import { SecretCard } from './secret-card.tsx'
import { TestMenu } from './test-menu.tsx'
import { UrlCard } from './url-card.tsx'
import { useDeliveryLog } from './use-delivery-log.ts'
import { useDeliveryMoves } from './use-delivery-moves.ts'

const DeliveryDrawer = lazy(() =>
  import('./delivery-drawer.tsx').then((all) => ({ default: all.DeliveryDrawer })),
)

/** Whether events arrive: the URL, the secret, the health of a day, and the log. */
export function WebhookSettings() {
  useTitle('Webhook')
  const { data, error, refetch } = useQuery(queries.organization())
  const { id } = useParams()
  const log = useDeliveryLog(useSearch())
  const moves = useDeliveryMoves(log.shown, id)
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col tablet:overflow-auto">
        <PageHeader after={<Trouble />} crumbs={[{ label: 'Settings' }]} title="Webhook">
          <TestMenu endpoints={data?.webhookEndpoints ?? []} />
        </PageHeader>
        <div className="grid gap-3 px-4 py-5 tablet:px-6">
          {data ? (
            <>
              <PausedNotices organization={data} />
              <div className="grid gap-3 tablet:grid-cols-2">
                <UrlCard organization={data} />
                <SecretCard organization={data} />
              </div>
              <Endpoints organization={data} />
              {data.webhookEndpoints.length === 0 ? <NoUrl /> : <Health />}
              <ResendProgress />
            </>
          ) : error ? (
            <ErrorNotice
              error={asPurserError(error)}
              onRetry={() => void refetch()}
              title="The settings could not be loaded."
            />
          ) : (
            <Skeleton height={220} shape="block" />
          )}
        </div>
        <DeliveryLog log={log} onOpen={moves.open} openId={id} />
      </div>
      {id === undefined ? null : (
        <Suspense>
          <DeliveryDrawer id={id} moves={moves} />
        </Suspense>
      )}
    </div>
  )
}

/** Says beside the title that the server accepts nothing, and since when. */
function Trouble() {
  const now = useNow()
  const timezone = useTimezone()
  const { data } = useQuery(queries.deliveries({ from: fromOf('24h', now) }))
  const since = data ? notAnsweringSince(data.data) : null
  if (since === null) return null
  const at = new Date(since)
  const day = formatShortDay(at, timezone)
  const isToday = day === formatShortDay(new Date(now), timezone)
  return (
    <Badge icon={<TriangleAlert aria-hidden="true" />} tone="no">
      Not answering since {isToday ? '' : `${day}, `}
      {formatTime(at, timezone)}
    </Badge>
  )
}

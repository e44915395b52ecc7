import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useSearch } from '../../../router/use-router.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { LivePill } from '../../../ui/live-pill.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import type { DeliveryLogState } from './use-delivery-log.ts'

interface DeliveryLogProps {
  readonly log: DeliveryLogState
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

/** The log: every delivery, newest first. New ones wait behind a pill. */
export function DeliveryLog({ log, openId, onOpen }: DeliveryLogProps) {
  const search = useSearch()
  return (
    <section aria-label="Deliveries" className="min-w-0 border-t border-line">
      <DeliveryFilters search={search} />
      <LivePill count={log.waiting} onShow={log.show} />
      {!log.isLoaded ? (
        log.error ? (
          <div className="px-4 pb-4 tablet:px-6">
            <ErrorNotice
              error={log.error}
              onRetry={log.reload}
              title="The deliveries could not be loaded."
            />
          </div>
        ) : (
          <Skeleton rows={6} shape="table" />
        )
      ) : log.shown.length === 0 ? (
        <Nothing isFiltered={Object.keys(search).length > 0} />
      ) : (
        <div className={log.isStale ? 'opacity-60' : undefined}>
          <DeliveryTable deliveries={log.shown} onOpen={onOpen} openId={openId} />
          {log.hasMore ? (
            <div className="py-3 text-center">
              <Button busy={log.isLoadingMore} onClick={log.more}>
                Show older deliveries
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </section>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No delivery fits these filters." />
  ) : (
    <Empty title="No deliveries yet.">
      Each event that Purser sends to your server appears here, with every attempt.
    </Empty>
  )
}

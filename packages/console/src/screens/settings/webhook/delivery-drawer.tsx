import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isNotFound } from '../../../data/query-client.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Id } from '../../../parts/id.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import { deliveryQuery } from './delivery-query.ts'

/** One delivery: what happened, every attempt, the request, the answer and the signature. */
export function DeliveryDrawer({ id }: { readonly id: string | undefined }) {
  const navigate = useNavigate({ from: '/settings/webhook' })
  const { data, error, refetch } = useQuery({
    ...deliveryQuery(id ?? ''),
    enabled: id !== undefined,
  })
  return (
    <Drawer
      footer={data ? <DeliveryActions delivery={data} /> : undefined}
      header={
        <>
          <h2>Delivery</h2>
          {id === undefined ? null : <Id value={id} />}
        </>
      }
      label={`Delivery ${id ?? ''}`}
      onClose={() => void navigate({ to: '/settings/webhook', search: (before) => before })}
      open={id !== undefined}
    >
      {data ? (
        <DeliveryDetail delivery={data} key={data.id} />
      ) : isNotFound(error) ? (
        <Empty title="There is no such delivery.">
          Its event was removed by your retention rule, or it belongs to another organization.
        </Empty>
      ) : error ? (
        <div className="p-5">
          <ErrorNotice
            error={asPurserError(error)}
            onRetry={() => void refetch()}
            title="The delivery could not be loaded."
          />
        </div>
      ) : (
        <div className="p-5">
          <Skeleton rows={8} />
        </div>
      )}
    </Drawer>
  )
}

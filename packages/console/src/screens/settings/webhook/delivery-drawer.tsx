import type { WebhookDeliveryDetail } from '@purser/sdk'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { isNotFound } from '../../../data/query-client.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Id } from '../../../parts/id.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import { deliveryQuery } from './delivery-query.ts'
import type { DeliveryMoves } from './use-delivery-moves.ts'

interface DeliveryDrawerProps {
  readonly id: string
  readonly moves: DeliveryMoves
}

/** One delivery: its result, every attempt, the request, the answer and the signature. */
export function DeliveryDrawer({ id, moves }: DeliveryDrawerProps) {
  const found = useQuery({
    ...deliveryQuery(id),
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData } = found
  return (
    <Drawer
      actions={<Arrows moves={moves} />}
      // The actions are those of the delivery that the address names, never of the one before.
      footer={data && !isPlaceholderData ? <DeliveryActions delivery={data} /> : undefined}
      header={
        <>
          <h2>Delivery</h2>
          <Id value={id} />
        </>
      }
      label={`Delivery ${id}`}
      onClose={moves.close}
      open
    >
      <Content found={found} />
    </Drawer>
  )
}

interface ContentProps {
  readonly found: UseQueryResult<WebhookDeliveryDetail>
}

function Content({ found: { data, error, isPlaceholderData, refetch } }: ContentProps) {
  if (data) {
    return (
      <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
        <DeliveryDetail delivery={data} key={data.id} />
      </div>
    )
  }
  if (isNotFound(error)) {
    return (
      <Empty title="There is no such delivery.">
        Your retention rule removed its event, or it belongs to a different organization.
      </Empty>
    )
  }
  return (
    <div className="p-5">
      {error ? (
        <ErrorNotice
          error={asPurserError(error)}
          onRetry={() => void refetch()}
          title="The delivery could not be loaded."
        />
      ) : (
        <Skeleton rows={8} />
      )}
    </div>
  )
}

/** At an end of the list an arrow is off, and keeps the focus. */
function Arrows({ moves: { previous, next } }: Pick<DeliveryDrawerProps, 'moves'>) {
  return (
    <>
      <IconButton
        disabledReason={previous ? undefined : 'No newer delivery is in the list.'}
        icon={<ChevronUp aria-hidden size={14} />}
        kbd={['k']}
        label="Previous delivery"
        onClick={() => previous?.()}
        size="sm"
      />
      <IconButton
        disabledReason={next ? undefined : 'No older delivery is in the list.'}
        icon={<ChevronDown aria-hidden size={14} />}
        kbd={['j']}
        label="Next delivery"
        onClick={() => next?.()}
        size="sm"
      />
    </>
  )
}

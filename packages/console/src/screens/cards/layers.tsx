import type { Agent, CardConnection, Card as PaymentCard } from '@purser/sdk'
import { lazy, Suspense } from 'react'
import type { CardDraft } from './card-dialog.tsx'
import type { ConnectionDoing } from './connection-change.tsx'

const CardDialog = lazy(() =>
  import('./card-dialog.tsx').then((one) => ({ default: one.CardDialog })),
)
const CardStatusDialog = lazy(() =>
  import('./card-status.tsx').then((one) => ({ default: one.CardStatusDialog })),
)
const ConnectionDialog = lazy(() =>
  import('./connection-dialog.tsx').then((one) => ({ default: one.ConnectionDialog })),
)
const ConnectionChangeDialog = lazy(() =>
  import('./connection-change.tsx').then((one) => ({ default: one.ConnectionChangeDialog })),
)
const ShownOnce = lazy(() =>
  import('../../parts/shown-once.tsx').then((one) => ({ default: one.ShownOnce })),
)

/** What lies over the page. The tokens of new URLs are in the answer that makes them, and only there. */
export type Layer =
  | { readonly kind: 'card'; readonly card?: PaymentCard; readonly given?: Partial<CardDraft> }
  | {
      readonly kind: 'status'
      readonly card: PaymentCard
      readonly doing: 'pause' | 'resume' | 'close'
    }
  | { readonly kind: 'connection'; readonly connection?: CardConnection }
  | {
      readonly kind: 'change'
      readonly connection: CardConnection
      readonly doing: ConnectionDoing
    }
  | { readonly kind: 'urls'; readonly connection: CardConnection }

interface LayersProps {
  readonly layer: Layer | null
  readonly agents: readonly Pick<Agent, 'id' | 'name'>[]
  readonly connections: readonly CardConnection[]
  readonly onLayer: (layer: Layer) => void
  /** Closes this layer, unless another one has taken its place. */
  readonly onClose: (layer: Layer) => void
}

export function Layers({ layer, agents, connections, onLayer, onClose }: LayersProps) {
  if (layer === null) return null
  const close = () => onClose(layer)
  const showUrls = (connection: CardConnection) => {
    const isNew = connection.ingest && !connection.ingest.authorizationUrl.includes('…')
    if (isNew) onLayer({ kind: 'urls', connection })
    else close()
  }
  return (
    <Suspense fallback={null}>
      {layer.kind === 'card' ? (
        <CardDialog
          card={layer.card}
          given={layer.given ?? {}}
          agents={agents}
          connections={connections.filter(({ status }) => status !== 'removed')}
          onClose={close}
        />
      ) : null}
      {layer.kind === 'status' ? (
        <CardStatusDialog card={layer.card} doing={layer.doing} onClose={close} />
      ) : null}
      {layer.kind === 'connection' ? (
        <ConnectionDialog connection={layer.connection} onSaved={showUrls} onClose={close} />
      ) : null}
      {layer.kind === 'change' ? (
        <ConnectionChangeDialog
          connection={layer.connection}
          doing={layer.doing}
          onDone={showUrls}
          onClose={close}
        />
      ) : null}
      {layer.kind === 'urls' ? (
        <ShownOnce
          title={`The URLs of ${layer.connection.name}`}
          description="Register them with the issuer now. Purser shows the token in them only once."
          values={[
            { label: 'Requests URL', value: layer.connection.ingest?.authorizationUrl ?? '' },
            { label: 'Events URL', value: layer.connection.ingest?.eventsUrl ?? '' },
          ]}
          onClose={close}
        />
      ) : null}
    </Suspense>
  )
}

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
const SecretOnce = lazy(() =>
  import('../../parts/secret/secret-once.tsx').then((one) => ({ default: one.SecretOnce })),
)

/** The layers over the page. The tokens of new URLs are only in the answer that makes them. */
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
  /** Closes this layer, unless a different one has taken its place. Resolves with the address. */
  readonly onClose: (layer: Layer) => Promise<void>
}

export function Layers({ layer, agents, connections, onLayer, onClose }: LayersProps) {
  if (layer === null) return null
  const close = () => void onClose(layer)
  async function showUrls(from: Layer, connection: CardConnection) {
    // The page moves first: the dialog with the URLs holds the page until they are copied.
    await onClose(from)
    const isNew = connection.ingest && !connection.ingest.authorizationUrl.includes('…')
    if (isNew) onLayer({ kind: 'urls', connection })
  }
  const onSaved = (connection: CardConnection) => void showUrls(layer, connection)
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
        <ConnectionDialog connection={layer.connection} onSaved={onSaved} onClose={close} />
      ) : null}
      {layer.kind === 'change' ? (
        <ConnectionChangeDialog
          connection={layer.connection}
          doing={layer.doing}
          onDone={onSaved}
          onClose={close}
        />
      ) : null}
      {layer.kind === 'urls' ? (
        <SecretOnce
          title={`Here are the URLs of ${layer.connection.name}`}
          description="Register them with the issuer now. Purser shows the token in them only once."
          noun="URLs"
          isPlural
          secret={[
            { label: 'Requests URL', value: layer.connection.ingest?.authorizationUrl ?? '' },
            { label: 'Events URL', value: layer.connection.ingest?.eventsUrl ?? '' },
          ]}
          onClose={close}
        />
      ) : null}
    </Suspense>
  )
}

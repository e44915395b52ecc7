import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { countOf } from '../../words/text.ts'
import { CardsBody } from './body.tsx'
import { ConnectionDrawer } from './connection-drawer.tsx'
import { type Layer, Layers } from './layers.tsx'
import { useCardsAddress } from './use-cards-address.ts'
import { useCardsData } from './use-cards-data.ts'

/** Cards and the connections to their issuers: "Is the issuer asking us, in time?" */
export function Cards() {
  const { search, openId, go, close } = useCardsAddress()
  const { reason } = useMay('cards:write')
  const data = useCardsData(search)
  const [own, setLayer] = useState<Layer | null>(null)
  useTitle('Cards')
  const layer = own ?? (reason === undefined ? layerOf(search.new) : null)
  const onClose = async (closed: Layer) => {
    setLayer((now) => (now === null || now.kind === closed.kind ? null : now))
    if (search.new !== undefined) await go({ new: undefined }, true)
  }
  const connection = data.connections.find(({ id }) => id === openId)
  return (
    <div className="flex flex-1 tablet:min-h-0">
      <div className="flex min-w-0 flex-1 flex-col tablet:overflow-auto">
        <PageHeader
          title="Cards and connections"
          after={data.total === undefined ? undefined : countOf(data.total, 'card')}
        >
          <Button onClick={() => void go({ new: 'connection' })} disabledReason={reason}>
            Connect issuer
          </Button>
          <Button
            icon={<Plus aria-hidden size={14} />}
            onClick={() => void go({ new: 'card' })}
            disabledReason={
              reason ?? (data.connections.length === 0 ? 'Connect a card issuer first.' : undefined)
            }
            variant="primary"
          >
            Register card
          </Button>
        </PageHeader>
        {data.error ? (
          <div className="p-4 tablet:p-6">
            <ErrorNotice
              title="The cards could not be loaded."
              error={data.error}
              onRetry={data.reload}
            />
          </div>
        ) : (
          <CardsBody
            data={data}
            search={search}
            onFilter={(change) => void go(change)}
            onLayer={setLayer}
          />
        )}
      </div>
      {openId === undefined ? null : (
        <ConnectionDrawer
          connection={connection}
          isMissing={data.isConnectionsKnown && !connection}
          onEdit={() => connection && setLayer({ kind: 'connection', connection })}
          onDo={(doing) => connection && setLayer({ kind: 'change', connection, doing })}
          onClose={close}
        />
      )}
      <Layers
        {...{ layer, agents: data.agents, connections: data.connections }}
        onLayer={setLayer}
        onClose={onClose}
      />
    </div>
  )
}

/** The form that the address asks for. */
function layerOf(kind: string | undefined): Layer | null {
  return kind === 'card' || kind === 'connection' ? { kind } : null
}

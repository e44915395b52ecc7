import type { ReactNode } from 'react'
import { curlOf } from '../../parts/curl.ts'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatCount } from '../../words/money.ts'
import { CardFilters } from './card-filters.tsx'
import { CardTable } from './card-table.tsx'
import { ConnectionCard } from './connection-card.tsx'
import type { Layer } from './layers.tsx'
import { FIRST_ISSUER } from './providers.ts'
import { UnknownCards } from './unknown-cards.tsx'
import type { CardsSearch } from './use-cards-address.ts'
import type { useCardsData } from './use-cards-data.ts'

interface CardsBodyProps {
  readonly data: ReturnType<typeof useCardsData>
  readonly search: CardsSearch
  readonly onFilter: (change: CardsSearch) => void
  readonly onLayer: (layer: Layer) => void
}

/** The health of the connections first, then unknown cards, then the cards. */
export function CardsBody({ data, search, onFilter, onLayer }: CardsBodyProps) {
  const { connections, agents, shown } = data
  if (data.isLoading) {
    return (
      <div className="p-4 tablet:p-6">
        <Skeleton shape="block" height={150} />
      </div>
    )
  }
  if (connections.length === 0) return <NothingYet />
  const nameIn = (list: readonly { readonly id: string; readonly name: string }[], id: string) =>
    list.find((one) => one.id === id)?.name
  return (
    <>
      <div className="grid gap-4 p-4 tablet:p-6">
        {connections.map((connection) => (
          <ConnectionCard connection={connection} key={connection.id} />
        ))}
        <UnknownCards
          connections={connections}
          onRegister={({ connection, card }) =>
            onLayer({
              kind: 'card',
              given: {
                ...{ connectionId: connection.id, externalId: card.externalId },
                ...{ last4: card.last4 ?? '', currency: card.currency ?? '' },
              },
            })
          }
        />
      </div>
      <section aria-label="Cards" className="border-t border-line">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 tablet:px-6">
          <h2 className="font-strong">Cards</h2>
          <CardFilters {...{ search, agents, connections }} onChange={onFilter} />
        </div>
        {shown.length === 0 ? (
          <Empty title="No card fits.">Register one, or choose other filters.</Empty>
        ) : (
          <CardTable
            cards={shown}
            agentName={(id) => nameIn(agents, id) ?? null}
            connectionName={(id) => nameIn(connections, id) ?? id}
            onDo={(doing, card) =>
              onLayer(doing === 'edit' ? { kind: 'card', card } : { kind: 'status', card, doing })
            }
          />
        )}
        {data.hasMore ? <More total={data.total ?? 0} /> : null}
      </section>
    </>
  )
}

function More({ total }: { readonly total: number }): ReactNode {
  return (
    <p className="px-4 py-2.5 text-small text-ink-3 tablet:px-6">
      The newest 200 of {formatCount(total)} cards. Find others with{' '}
      <code>GET /cards?externalId=</code>.
    </p>
  )
}

function NothingYet() {
  return (
    <Empty
      title="Connections to card issuers, and the cards of your agents, appear here."
      command={curlOf({
        ...{ method: 'POST', path: '/card-connections' },
        body: { provider: FIRST_ISSUER.provider, name: FIRST_ISSUER.title },
      })}
    >
      The issuer asks the gateway before each purchase, and the mandate of the card’s agent decides.
    </Empty>
  )
}

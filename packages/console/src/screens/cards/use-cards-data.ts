import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../data/queries.ts'
import { asPurserError } from '../../data/use-action.ts'
import type { CardsSearch } from './use-cards-address.ts'

/** Cards, connections and agents, and the cards that fit the filters. */
export function useCardsData({ status, agent, connection }: CardsSearch) {
  const cards = useQuery(queries.cards())
  const connections = useQuery(queries.cardConnections())
  const agents = useQuery(queries.agents())
  const shown = useMemo(
    () =>
      (cards.data?.data ?? []).filter(
        (card) =>
          (status === undefined || card.status === status) &&
          (agent === undefined || card.agentId === agent) &&
          (connection === undefined || card.connectionId === connection),
      ),
    [cards.data, status, agent, connection],
  )
  return {
    shown,
    total: cards.data?.total,
    hasMore: cards.data?.hasMore ?? false,
    connections: connections.data?.data ?? [],
    agents: agents.data?.data ?? [],
    isLoading: cards.isPending || connections.isPending,
    isConnectionsKnown: connections.isSuccess,
    // Old rows stay when a later request fails.
    error: asPurserError(
      (cards.data ? null : cards.error) ?? (connections.data ? null : connections.error),
    ),
    reload: () => {
      void cards.refetch()
      void connections.refetch()
    },
  }
}

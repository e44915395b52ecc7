import type { AuditEntry } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { useTimezone } from '../../parts/when.tsx'
import { fieldsOf, type LeafNames, textOf } from '../../words/leaf/pieces.ts'
import { actorWords, spendsOf } from '../../words/leaf-sentences.ts'

/** A thing or actor with a name, for the filters. */
export interface Named {
  readonly id: string
  readonly name: string
}

export interface AuditNames extends LeafNames {
  readonly actors: readonly Named[]
  readonly subjects: readonly Named[]
}

/** The current names of the subjects of leaves: a leaf has the id, and only the changes. */
export function useLeafNames(entries: readonly AuditEntry[]): AuditNames {
  const timezone = useTimezone()
  const mayKeys = useMay('keys:read').isAllowed
  const agents = useQuery(queries.agents()).data?.data
  const mandates = useQuery(queries.mandates()).data?.data
  const vendors = useQuery(queries.vendors()).data?.data
  const cards = useQuery(queries.cards()).data?.data
  const connections = useQuery(queries.cardConnections()).data?.data
  const keys = useQuery({ ...queries.apiKeys(), enabled: mayKeys }).data?.data
  const things = useMemo(
    (): readonly Named[] => [
      ...(agents ?? []),
      ...(mandates ?? []),
      ...(vendors ?? []).map(({ id, host }) => ({ id, name: host })),
      ...(cards ?? []).map(({ id, label, last4 }) => ({ id, name: cardName(label, last4) })),
      ...(connections ?? []),
      ...(keys ?? []),
    ],
    [agents, mandates, vendors, cards, connections, keys],
  )
  return useMemo(() => {
    const names = new Map([
      ...namesIn(entries),
      ...things.map(({ id, name }) => [id, name] as const),
    ])
    const currencies = new Map((mandates ?? []).map(({ id, currency }) => [id, currency]))
    const spends = spendsOf(entries)
    return {
      ...{ timezone, actors: actorsOf(entries, agents ?? []), subjects: things },
      nameOf: (id) => names.get(id),
      spendOf: (id) => spends.get(id),
      currencyOf: (id) => currencies.get(id) ?? undefined,
    }
  }, [entries, things, agents, mandates, timezone])
}

function cardName(label: string | null, last4: string | null): string {
  return [label, last4 && `•••• ${last4}`].filter(Boolean).join(' ') || 'Card'
}

/** Names that leaves themselves tell, such as those of members and of deleted things. */
function namesIn(entries: readonly AuditEntry[]): readonly (readonly [string, string])[] {
  return entries.flatMap(({ subject, actorId, actorName, payload }) => {
    const actor = textOf(actorName)
    const told = fieldsOf(payload?.['after'] ?? payload?.['before'])
    const name = textOf(told['name']) ?? textOf(told['host'])
    return [
      ...(actorId && actor ? [[actorId, actor] as const] : []),
      ...(name ? [[subject, name] as const] : []),
    ]
  })
}

function actorsOf(entries: readonly AuditEntry[], agents: readonly Named[]): readonly Named[] {
  const seen = entries.flatMap(({ actorId, actorName }) =>
    actorId === null ? [] : [[actorId, actorWords(actorId, actorName)] as const],
  )
  const all = new Map<string, string>([
    ...seen,
    ...agents.map(({ id, name }) => [id, name] as const),
    ['cli', 'The operator'],
    ['system', 'Purser'],
  ])
  return [...all].map(([id, name]) => ({ id, name }))
}

import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { AgentChip } from '../../parts/agent-chip.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { countOf } from '../../words/text.ts'

/** The names of agents, by id. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(queries.agents())
  return new Map((data?.data ?? []).map(({ id, name }) => [id, name]))
}

/** "Research agent", "2 agents", or "every agent". */
export function KeyAgents({ agentIds }: { readonly agentIds: readonly string[] | null }) {
  const names = useAgentNames()
  if (agentIds === null) return <span className="text-ink-3">every agent</span>
  const [only] = agentIds
  if (agentIds.length === 1 && only !== undefined) {
    return <AgentChip id={only} name={names.get(only) ?? null} />
  }
  const list = agentIds.map((id) => names.get(id) ?? 'a deleted agent').join(', ')
  return (
    <Tooltip content={list}>
      <span>{countOf(agentIds.length, 'agent')}</span>
    </Tooltip>
  )
}

/** The agents of a key as the words of a sentence; null if it is for every agent. */
export function agentWords(
  agentIds: readonly string[] | null,
  names: ReadonlyMap<string, string>,
): string | null {
  if (agentIds === null) return null
  const [only] = agentIds
  return agentIds.length === 1 && only !== undefined
    ? (names.get(only) ?? 'a deleted agent')
    : countOf(agentIds.length, 'agent')
}

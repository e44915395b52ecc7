import type { Agent, Mandate } from '@purser/sdk'
import { HeatStrip } from '../../charts/heat-strip.tsx'
import { Meter } from '../../charts/meter.tsx'
import { AgentChip } from '../../parts/agent-chip.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { useNavigate } from '../../router/use-router.ts'
import { Row, Table, Td, Th } from '../../ui/table.tsx'
import { spentOnly, usedText } from '../../words/budget.ts'
import { formatMoney } from '../../words/money.ts'
import { AgentBadge } from './agent-badge.tsx'
import type { AgentSearch } from './agent-search.ts'
import { heatSummary } from './days.ts'
import { useHeat } from './use-heat.ts'

interface AgentTableProps {
  readonly agents: readonly Agent[]
  readonly search: AgentSearch
}

export function AgentTable({ agents, search }: AgentTableProps) {
  const navigate = useNavigate()
  const heat = useHeat()
  const isByUse = search.sort === 'percentUsed'
  function toggleSort() {
    const { sort: _, ...rest } = search
    void navigate({ to: '/agents', search: isByUse ? rest : { ...rest, sort: 'percentUsed' } })
  }
  return (
    <Table caption="Agents" className="max-tablet:block">
      <thead className="max-tablet:sr-only">
        <tr>
          <Th>Agent</Th>
          <Th className="max-laptop:hidden">Mandate</Th>
          <Th onSort={toggleSort} sort={isByUse ? 'descending' : false}>
            Budget used
          </Th>
          <Th className="max-laptop:hidden">Last 30 days</Th>
          <Th className="max-tablet:hidden">Last seen</Th>
          <Th>Status</Th>
        </tr>
      </thead>
      <tbody className="max-tablet:block">
        {agents.map((agent) => {
          const { id, name, mandate = null, status, lastSeenAt } = agent
          const days = heat.daysOf(id)
          return (
            <Row
              key={id}
              className="relative max-tablet:flex max-tablet:flex-wrap max-tablet:[&>td]:min-w-0"
            >
              <Td className="max-w-60 truncate font-medium max-tablet:h-auto max-tablet:w-full max-tablet:max-w-none max-tablet:border-b-0 max-tablet:pt-3 max-tablet:pb-1.5">
                <AgentChip name={name} id={id} />
              </Td>
              <Td className="max-w-48 truncate text-ink-2 max-laptop:hidden">
                <MandateName mandate={mandate} />
              </Td>
              <Td className="w-64 max-tablet:h-auto max-tablet:flex-1 max-tablet:pb-3 max-tablet:pl-4">
                <Use mandate={mandate} />
              </Td>
              <Td className="w-52 max-laptop:hidden">
                {days === undefined ? null : (
                  <HeatStrip days={days} height={26} label={heatSummary(days)} still />
                )}
              </Td>
              <Td className="text-ink-3 max-tablet:hidden">
                {lastSeenAt === null ? 'Never' : <When at={lastSeenAt} ago />}
              </Td>
              <Td className="max-tablet:h-auto">
                <AgentBadge status={status} />
              </Td>
            </Row>
          )
        })}
      </tbody>
    </Table>
  )
}

function MandateName({ mandate }: { readonly mandate: Mandate | null }) {
  if (!mandate) return <span className="text-ink-3">None</span>
  return (
    <Link
      to="/mandates/$id"
      params={{ id: mandate.id }}
      className="block truncate leading-6 text-ink-2"
    >
      <bdi>{mandate.name}</bdi>
    </Link>
  )
}

function Use({ mandate }: { readonly mandate: Mandate | null }) {
  if (!mandate) return <span className="text-small text-ink-3">No active mandate</span>
  const { budgetHeld, budgetTotal, remainingBudget, currency } = mandate
  const used = usedText(mandate.percentUsed)
  const left = `${formatMoney(remainingBudget, currency)} left`
  return (
    <Meter
      held={budgetHeld}
      label={`${used} used, ${left}`}
      mini
      name={`Budget of ${mandate.name}`}
      spent={spentOnly(mandate)}
      total={budgetTotal}
    >
      <div aria-hidden className="flex justify-between gap-3 text-small text-ink-2">
        <span>{used}</span>
        <span>{left}</span>
      </div>
    </Meter>
  )
}

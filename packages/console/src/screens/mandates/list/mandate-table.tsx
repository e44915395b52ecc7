import type { Mandate } from '@purser/sdk'
import { useRef } from 'react'
import { Meter } from '../../../charts/meter.tsx'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { AgentChip } from '../../../parts/agent-chip.tsx'
import { MandateBadge } from '../../../parts/mandate-badge.tsx'
import { When } from '../../../parts/when.tsx'
import { Link } from '../../../router/link.tsx'
import { useNavigate, useSearch } from '../../../router/use-router.ts'
import { Row, Table, Td, Th } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { spentOnly, usedText } from '../../../words/budget.ts'
import { formatMoney } from '../../../words/money.ts'
import { PERIOD_WORDS } from '../../../words/term-words.ts'
import { budgetSentence } from '../sentences.ts'

/** The mandates, one row each. `j` and `k` move through the links in them. */
export function MandateTable({ mandates }: { readonly mandates: readonly Mandate[] }) {
  const table = useRef<HTMLTableElement>(null)
  const navigate = useNavigate()
  const isByUse = useSearch()['sort'] === 'percentUsed'
  const move = (by: 1 | -1) => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by
    links[Math.min(links.length - 1, Math.max(0, next))]?.focus()
  }
  useShortcut('j', () => move(1), { label: 'Next mandate', group: 'Mandates' })
  useShortcut('k', () => move(-1), { label: 'Previous mandate', group: 'Mandates' })
  return (
    <Table caption="Mandates" className="max-tablet:block max-tablet:[&>tbody]:block" ref={table}>
      <thead className="max-tablet:sr-only">
        <tr>
          <Th>Mandate</Th>
          <Th>Agent</Th>
          <Th>Status</Th>
          <Th
            className="w-2/5"
            onSort={() =>
              void navigate({
                to: '.',
                search: (old) => ({ ...old, sort: isByUse ? undefined : 'percentUsed' }),
              })
            }
            sort={isByUse ? 'descending' : false}
          >
            Budget
          </Th>
          <Th align="right">Changed</Th>
        </tr>
      </thead>
      <tbody>
        {mandates.map((mandate) => (
          <MandateRow key={mandate.id} mandate={mandate} />
        ))}
      </tbody>
    </Table>
  )
}

function MandateRow({ mandate }: { readonly mandate: Mandate }) {
  const { id, name, agentId, agentName, status, version, updatedAt, draftOf } = mandate
  return (
    <Row className="max-tablet:flex max-tablet:flex-wrap max-tablet:items-center max-tablet:gap-x-3 max-tablet:gap-y-1.5 max-tablet:border-b max-tablet:border-line max-tablet:px-4 max-tablet:py-2 max-tablet:[&>td]:min-w-0 max-tablet:[&>td]:h-auto max-tablet:[&>td]:border-0 max-tablet:[&>td]:p-0!">
      <Td className="max-w-72 max-tablet:max-w-full max-tablet:flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <Link
            className="truncate font-medium text-ink hover:text-accent"
            data-row-link=""
            params={{ id }}
            to="/mandates/$id"
          >
            <bdi>{name}</bdi>
          </Link>
          {draftOf ? <Tag>next version</Tag> : null}
          {mandate.parentMandateId ? <Tag>child</Tag> : null}
        </span>
      </Td>
      <Td className="max-w-52 max-tablet:order-1 max-tablet:w-full max-tablet:max-w-full">
        <AgentChip id={agentId} name={agentName ?? null} />
      </Td>
      <Td>
        <MandateBadge status={status} version={status === 'active' ? version : undefined} />
      </Td>
      <Td className="tablet:max-w-0 max-tablet:order-2 max-tablet:w-full">
        <Budget mandate={mandate} />
      </Td>
      <Td align="right" className="text-ink-3 max-tablet:hidden">
        <When ago at={updatedAt} />
      </Td>
    </Row>
  )
}

function Budget({ mandate }: { readonly mandate: Mandate }) {
  const { status, budgetTotal, budgetHeld, budgetPeriod, currency } = mandate
  const total = `${formatMoney(budgetTotal, currency)} ${PERIOD_WORDS[budgetPeriod]}`
  if (status !== 'active') return <span className="text-ink-2">{total}</span>
  return (
    <span className="flex items-center gap-3">
      <span className="w-28 flex-none max-phone:w-16">
        <Meter
          held={budgetHeld}
          label={budgetSentence(mandate)}
          mini
          name={`Budget of ${mandate.name}`}
          spent={spentOnly(mandate)}
          total={budgetTotal}
        >
          {null}
        </Meter>
      </span>
      <span className="w-12 flex-none text-right">{usedText(mandate.percentUsed)}</span>
      <span className="truncate text-ink-2 max-tablet:whitespace-normal">of {total}</span>
    </span>
  )
}

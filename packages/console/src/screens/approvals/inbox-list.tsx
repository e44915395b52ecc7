import type { Approval } from '@purser/sdk'
import { Kbd } from '../../ui/kbd.tsx'
import { AgentFilter } from './agent-filter.tsx'
import { type InboxRow as Row, whyNotSelect } from './inbox.ts'
import { InboxRow } from './inbox-row.tsx'
import { NotifyButton } from './notify-button.tsx'

interface InboxListProps {
  readonly rows: readonly Row[]
  readonly id: string | undefined
  readonly agent: string | undefined
  readonly search: Readonly<Record<string, string>>
  readonly selected: readonly Approval[]
  /** How many wait in total, which can be more than the list shows. */
  readonly total: number
  readonly onToggle: (id: string) => void
}

export function InboxList(props: InboxListProps) {
  const { rows, id, agent, search, selected, total, onToggle } = props
  const shown = rows.filter(({ isWaiting }) => isWaiting).length
  return (
    <>
      <AgentFilter agent={agent} />
      <ul>
        {rows.map(({ approval, isWaiting }) => {
          const isSelected = selected.includes(approval)
          return (
            <InboxRow
              key={approval.id}
              approval={approval}
              isWaiting={isWaiting}
              isOpen={approval.id === id}
              search={search}
              selection={{
                isOn: isSelected,
                isActive: selected.length > 0,
                whyNot: isSelected ? undefined : whyNotSelect(approval, selected),
                toggle: () => onToggle(approval.id),
              }}
            />
          )
        })}
      </ul>
      {total > shown ? (
        <p className="px-4 py-3 text-small text-ink-3">
          The next {shown} of {total} to expire. The others follow when these are answered.
        </p>
      ) : null}
      <div className="px-2 py-3 tablet:hidden">
        <NotifyButton isWide />
      </div>
      <p
        aria-hidden
        className="flex flex-wrap items-center gap-1.5 px-4 py-3 text-small text-ink-3 max-tablet:hidden pointer-coarse:hidden"
      >
        <Kbd>j</Kbd>
        <Kbd>k</Kbd> move
        <span className="ml-auto" />
        <Kbd>a</Kbd> approve <Kbd>r</Kbd> reject <Kbd>x</Kbd> select
      </p>
    </>
  )
}

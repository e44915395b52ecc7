import type { Transaction } from '@purser/sdk'
import { Link } from '../../router/link.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { fieldWord, flagWord } from '../../words/flags.ts'
import { formatMoney } from '../../words/money.ts'
import { PATH_WORDS } from '../../words/words.ts'
import { AgentChip } from '../agent-chip.tsx'
import { Id } from '../id.tsx'
import { Quoted, showControls } from '../quoted.tsx'
import { When } from '../when.tsx'

/** The spend itself: its sender, its purpose, and the data that came with it. */
export function WhyDetails({ transaction }: { readonly transaction: Transaction }) {
  const { amount, currency, category, reference, reason, flags, metadata, external } = transaction
  const { heldAmount, settledAmount, refundedAmount, approvalId, remainingBudget } = transaction
  const money = (value: number) => (value === 0 ? null : formatMoney(value, currency))
  return (
    <DrawerSection title="Details">
      <DescriptionList
        rows={[
          {
            label: 'Agent',
            value: <AgentChip name={transaction.agentName ?? null} id={transaction.agentId} />,
          },
          {
            label: 'Reason given',
            value: reason === null ? null : <Quoted text={reason} isSmall />,
          },
          { label: 'Amount', value: formatMoney(amount, currency) },
          { label: 'Held', value: money(heldAmount) },
          { label: 'Settled', value: settledAmount === amount ? null : money(settledAmount) },
          { label: 'Refunded', value: money(refundedAmount) },
          {
            label: 'Vendor',
            value: (
              <Link to="/transactions" search={{ vendor: transaction.vendor }}>
                <bdi>{transaction.vendor}</bdi>
              </Link>
            ),
          },
          { label: 'Category', value: category },
          { label: 'Paid by', value: PATH_WORDS[transaction.path] },
          { label: 'Reference', value: reference === null ? null : <Mono text={reference} /> },
          {
            label: 'Flags',
            value:
              flags.length === 0 ? null : flags.map((flag) => <p key={flag}>{flagWord(flag)}</p>),
          },
          {
            label: 'Approval',
            value:
              approvalId === null ? null : (
                <Link to="/approvals/$id" params={{ id: approvalId }}>
                  {approvalId}
                </Link>
              ),
          },
          { label: 'Left after', value: formatMoney(remainingBudget, currency) },
          { label: 'Decided', value: <When at={transaction.createdAt} ago /> },
          { label: 'Id', value: <Id value={transaction.transactionId} /> },
        ]}
      />
      <Facts title="Metadata, as the agent sent it" facts={metadata} />
      <Facts
        title={`Data of the payment path (${PATH_WORDS[transaction.path]})`}
        facts={external}
      />
    </DrawerSection>
  )
}

interface FactsProps {
  readonly title: string
  readonly facts: Readonly<Record<string, unknown>> | null
}

function Facts({ title, facts }: FactsProps) {
  const entries = Object.entries(facts ?? {}).filter(([, value]) => value !== null)
  if (entries.length === 0) return null
  return (
    <div className="mt-4">
      <h4 className="mb-2 text-small font-medium text-ink-3">{title}</h4>
      <DescriptionList
        rows={entries.map(([name, value]) => ({
          ...{ key: name, label: <bdi>{fieldWord(showControls(name))}</bdi> },
          value: <Mono text={typeof value === 'string' ? value : JSON.stringify(value)} />,
        }))}
      />
    </div>
  )
}

/** Text from outside: its direction stays inside it, and control characters are visible. */
function Mono({ text }: { readonly text: string }) {
  return <bdi className="font-mono text-small [overflow-wrap:anywhere]">{showControls(text)}</bdi>
}

import type { Transaction } from '@purser/sdk'
import { Copy, Ellipsis, List, ScrollText } from 'lucide-react'
import { useMay } from '../../../data/session.ts'
import { curlOf } from '../../../parts/curl.ts'
import { Link } from '../../../router/link.tsx'
import { useCopy } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Retrial, retrialInput } from './retrial.tsx'

interface MoreActionsProps {
  readonly transaction: Transaction
  readonly retrial: Retrial
}

/** The actions that people need less often. */
export function MoreActions({ transaction, retrial }: MoreActionsProps) {
  const { copy } = useCopy()
  const mayTry = useMay('gateway:read')
  const { transactionId, agentId, detailsRemovedAt } = transaction
  const copyCurl = (request: Parameters<typeof curlOf>[0]) =>
    void copy(curlOf(request)).then((done) => done && toast('The command is copied.'))
  const body = retrialInput(transaction)
  const items: readonly (MenuItem | false)[] = [
    {
      label: 'Judge again from the record',
      icon: <ScrollText size={14} aria-hidden />,
      onSelect: retrial.judgeAgain,
      disabledReason:
        mayTry.reason ?? (detailsRemovedAt === null ? undefined : 'The details were removed.'),
    },
    'separator',
    transaction.decision === 'approved' && {
      label: 'Copy “Try again” as curl',
      icon: <Copy size={14} aria-hidden />,
      onSelect: () => copyCurl({ method: 'POST', path: '/gateway/simulate', body }),
    },
    {
      label: 'Copy this transaction as curl',
      icon: <Copy size={14} aria-hidden />,
      onSelect: () => copyCurl({ method: 'GET', path: `/transactions/${transactionId}` }),
    },
    {
      label: 'All spends of this agent',
      icon: <List size={14} aria-hidden />,
      render: <Link to="/transactions" search={{ agent: agentId }} />,
    },
  ]
  return (
    <Menu
      label="More actions"
      items={items.filter((item) => item !== false)}
      trigger={
        <IconButton size="sm" label="More actions" icon={<Ellipsis size={14} aria-hidden />} />
      }
    />
  )
}

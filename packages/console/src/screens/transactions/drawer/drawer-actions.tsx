import type { ListedTransaction, Transaction } from '@purser/sdk'
import { Ban, Check, Pencil, RefreshCw, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/button.tsx'
import { type ChangeKind, changesOf } from './changes.ts'
import { type Retrial, retrialInput } from './retrial.tsx'

const ChangeDialog = lazy(() =>
  import('./change-dialog.tsx').then((one) => ({ default: one.ChangeDialog })),
)

interface DrawerActionsProps {
  readonly transaction: Transaction
  readonly retrial: Retrial
  readonly onChanged: (transaction: ListedTransaction) => void
}

const ICONS = { settle: Check, void: Ban, refund: Undo2 }
const LABELS = { settle: 'Settle…', void: 'Void…', refund: 'Refund…' }

/** The actions for the transaction. Those that change money open a dialog first. */
export function DrawerActions({ transaction, retrial, onChanged }: DrawerActionsProps) {
  const [change, setChange] = useState<ChangeKind | null>(null)
  const mayWrite = useMay('transactions:write')
  const mayTry = useMay('gateway:read')
  const changes = changesOf(transaction)
  const isRejected = transaction.decision === 'rejected'
  return (
    <>
      <Button
        variant={changes.some(({ kind }) => kind === 'settle') ? 'default' : 'primary'}
        icon={<RefreshCw size={14} strokeWidth={1.5} aria-hidden />}
        busy={retrial.busy === 'now'}
        disabledReason={mayTry.reason}
        title="Nothing is spent (s)"
        onClick={retrial.tryAgain}
      >
        Try again now
      </Button>
      {changes.map(({ kind, reason }) => {
        const Icon = ICONS[kind]
        return (
          <Button
            key={kind}
            variant={kind === 'settle' ? 'primary' : 'default'}
            icon={<Icon size={14} strokeWidth={1.5} aria-hidden />}
            disabledReason={mayWrite.reason ?? reason}
            onClick={() => setChange(kind)}
          >
            {LABELS[kind]}
          </Button>
        )
      })}
      {isRejected ? (
        <>
          <CopyCurl
            request={{ method: 'POST', path: '/gateway/simulate', body: retrialInput(transaction) }}
          />
          <ExceptionButton transaction={transaction} />
        </>
      ) : null}
      {change ? (
        <Suspense fallback={null}>
          <ChangeDialog
            kind={change}
            transaction={transaction}
            onClose={() => setChange(null)}
            onDone={onChanged}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** The editor opens with the one change that lets the spend pass. */
function ExceptionButton({ transaction }: { readonly transaction: Transaction }) {
  const { mandateId, transactionId } = transaction
  const may = useMay('mandates:write')
  if (mandateId === null) return null
  const icon = <Pencil size={14} strokeWidth={1.5} aria-hidden />
  if (!may.isAllowed) {
    return (
      <Button icon={icon} disabledReason={may.reason}>
        Draft an exception
      </Button>
    )
  }
  return (
    <Button
      icon={icon}
      render={
        <Link to="/mandates/$id/edit" params={{ id: mandateId }} search={{ from: transactionId }} />
      }
    >
      Draft an exception
    </Button>
  )
}

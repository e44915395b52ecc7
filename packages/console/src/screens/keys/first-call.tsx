import type { Transaction } from '@purser/sdk'
import { Link } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useLiveEvents } from '../../data/stream/use-live.ts'
import { TransactionBadge } from '../../parts/status-badge.tsx'

/** Waits for the first spend that a new key sends, and turns into its decision. */
export function FirstCall({ keyId }: { readonly keyId: string }) {
  const [decided, setDecided] = useState<Transaction | null>(null)
  useLiveEvents(({ kind, subject }) => {
    const isDecision = kind === 'transaction.approved' || kind === 'transaction.rejected'
    if (decided !== null || !isDecision || subject === null) return
    // The event does not say which key sent the spend; the transaction does.
    purser.transactions
      .get(subject)
      .then((transaction) => {
        if (transaction.requestedBy?.id === keyId) setDecided(transaction)
      })
      .catch(() => {})
  })
  return (
    <div aria-live="polite" className="min-h-6 text-small text-ink-3">
      {decided ? (
        <p className="flex flex-wrap items-center gap-2 text-ink">
          <TransactionBadge code={decided.code} status={decided.status} />
          <span>{decided.evaluationDetails?.message ?? 'The gateway decided.'}</span>
          <Link
            className="underline"
            params={{ id: decided.transactionId }}
            target="_blank"
            to="/transactions/$id"
          >
            See why
          </Link>
        </p>
      ) : (
        <p className="flex items-center gap-2">
          <Clock aria-hidden="true" className="flex-none" size={14} strokeWidth={1.5} />
          Waiting for its first spend. This line turns into the decision when it comes.
        </p>
      )}
    </div>
  )
}

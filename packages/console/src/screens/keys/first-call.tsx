import type { CreatedApiKey } from '@purser/sdk'
import { Clock } from 'lucide-react'
import { TransactionBadge } from '../../parts/status-badge.tsx'
import { Link } from '../../router/link.tsx'
import { useFirstSpend } from './use-first-spend.ts'

/** Waits for the first spend that a new key sends, and turns into its decision. */
export function FirstCall({ made }: { readonly made: CreatedApiKey }) {
  const decided = useFirstSpend(made)
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

import type { FlippedDecision } from '@purser/sdk'
import { Check, UserRound, X } from 'lucide-react'
import { Amount } from '../../../../parts/amount.tsx'
import { Link } from '../../../../router/link.tsx'
import { tidySentence } from '../../../../words/money.ts'
import { codeWord } from '../../../../words/words.ts'

/** Past spends that would be decided differently. */
export function Examples({ examples }: { readonly examples: readonly FlippedDecision[] }) {
  if (examples.length === 0) return null
  return (
    <ul aria-label="Spends that change" className="mt-2.5">
      {examples.map((one) => (
        <li
          className="flex items-center gap-3 border-b border-line py-1.5 last:border-0"
          key={one.transactionId}
        >
          <Outcome example={one} />
          <span className="min-w-0 flex-1">
            <Link
              className="block truncate font-medium text-ink hover:text-accent"
              params={{ id: one.transactionId }}
              to="/transactions/$id"
            >
              <bdi>{one.vendor}</bdi>
            </Link>
            <span className="block text-small text-ink-3">{reason(one)}</span>
          </span>
          <Amount currency={one.currency} value={one.amount} />
        </li>
      ))}
    </ul>
  )
}

function Outcome({ example: { after } }: { readonly example: FlippedDecision }) {
  if (after.decision === 'approved') {
    return <Check aria-label="Newly approved" className="flex-none text-ok" role="img" size={16} />
  }
  const isAsked = after.code === 'approval_required'
  return isAsked ? (
    <UserRound aria-label="Needs approval" className="flex-none text-ask" role="img" size={16} />
  ) : (
    <X aria-label="Newly rejected" className="flex-none text-no" role="img" size={16} />
  )
}

function reason({ before, after, currency }: FlippedDecision): string {
  return after.decision === 'approved'
    ? `was: ${lower(codeWord(before.code))}`
    : tidySentence(after.message, currency)
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

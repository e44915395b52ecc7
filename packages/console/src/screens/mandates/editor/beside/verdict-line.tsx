import { sealOf, verdictOf } from '../../../../parts/verdict.tsx'
import type { TestSpend } from './test-input.ts'
import type { Tested } from './use-tester.ts'

interface VerdictLineProps {
  readonly test: TestSpend
  readonly tested: Tested
  readonly currency: string
}

/** The verdict in one line, while the tester is out of view. */
export function VerdictLine({ test, tested: { draft, unread }, currency }: VerdictLineProps) {
  const kind = draft ? verdictOf(draft.decision, draft.evaluationDetails.code) : undefined
  const { tone, word } = kind ? sealOf(kind) : { tone: 'done', word: unread ?? 'Testing …' }
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <b className={`tone-${tone} text-tone`}>{word}</b>
      <span className="min-w-0 truncate text-ink-2">
        {test.amount} {currency} at <bdi>{test.vendor}</bdi>
      </span>
      <a className="ml-auto" href="#tester">
        Test a spend
      </a>
    </span>
  )
}

import type { Approval } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { ApprovalBadge } from '../../parts/status-badge.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatMoney } from '../../words/money.ts'
import type { Answered } from './answer-together.ts'

interface TogetherResultProps {
  readonly approvals: readonly Approval[]
  readonly results: readonly Answered[]
  readonly onClose: () => void
}

/** The result of each request. */
export function TogetherResult({ approvals, results, onClose }: TogetherResultProps) {
  const done = results.filter(({ isDecided }) => isDecided).length
  return (
    <div className="max-w-240">
      <p className="mb-3 font-medium" role="status">
        {done === results.length
          ? `All ${done} requests are answered.`
          : `${done} of ${results.length} requests are answered. The others say why not.`}
      </p>
      <Card>
        <ul>
          {results.map((result) => (
            <Result
              key={result.id}
              result={result}
              approval={approvals.find(({ id }) => id === result.id)}
            />
          ))}
        </ul>
      </Card>
      <div className="mt-3">
        <Button autoFocus onClick={onClose}>
          Back to the requests
        </Button>
      </div>
    </div>
  )
}

interface ResultProps {
  readonly result: Answered
  readonly approval: Approval | undefined
}

function Result({ result, approval }: ResultProps) {
  const { data } = useQuery(queries.approval(result.id))
  const shown = data ?? approval
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3.5 py-2.5 last:border-b-0">
      <Link to="/approvals/$id" params={{ id: result.id }} className="font-medium">
        <bdi>{shown?.vendor ?? result.id}</bdi>
        {shown ? `, ${formatMoney(shown.amount, shown.currency)}` : ''}
      </Link>
      <span className="ml-auto">{data ? <ApprovalBadge status={data.status} /> : null}</span>
      {result.message === null ? null : (
        <span className="w-full text-small text-no">{result.message}</span>
      )}
    </li>
  )
}

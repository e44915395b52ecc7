import { useQuery } from '@tanstack/react-query'
import { queries } from '../data/queries.ts'
import { countOf } from '../words/text.ts'

/** How many approvals wait. It is the only number in the rail. */
export function ApprovalCount() {
  const count = usePendingApprovals()
  if (count === 0) return null
  return (
    <span className="ml-auto min-w-5 rounded-full bg-ask-soft px-1.5 text-center text-micro leading-[1.125rem] font-strong text-ask shadow-[inset_0_0_0_1px_var(--ask-line)] max-laptop:absolute max-laptop:translate-x-3 max-laptop:-translate-y-2.5">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{countOf(count, 'approval')} waiting</span>
    </span>
  )
}

export function usePendingApprovals(): number {
  const { data } = useQuery(queries.approvals({ status: 'pending' }))
  return data?.total ?? 0
}

import { useQuery } from '@tanstack/react-query'
import { purser } from '../../data/client.ts'
import { Verdict } from '../../parts/verdict.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { verdictOf, verdictSentence } from '../../words/verdict.ts'
import type { ExampleSpend } from './example-spend.ts'

interface PreviewProps {
  readonly spend: ExampleSpend
  readonly currency: string
}

/** The gateway's decision on an example. Nothing is stored, and nothing counts. */
export function Preview({ spend, currency }: PreviewProps) {
  const { data, isError } = useQuery({
    queryKey: ['mandates', 'preview', spend],
    queryFn: ({ signal }) => purser.gateway.simulate({ ...spend }, { signal }),
  })
  if (isError) return <p className="text-ink-2">It gets its own call after the first decision.</p>
  if (!data) return <Skeleton rows={2} />
  const { decision, evaluationDetails, amount, vendor, remainingBudget } = data
  const { code, message } = evaluationDetails
  return (
    <Verdict
      as="p"
      isTested
      kind={verdictOf(decision, code)}
      sentence={verdictSentence({
        ...{ decision, code, amount, currency, vendor, message, remainingBudget },
      })}
    />
  )
}

import type { PurserError, Rule, Simulation } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Clock, FlaskConical, Route } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTimezone } from '../../parts/when.tsx'
import { WhyDecision } from '../../parts/why/why-decision.tsx'
import { Link } from '../../router/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatDay, formatTime } from '../../words/time.ts'
import { PATH_WORDS } from '../../words/words.ts'
import { Differences } from './differences.tsx'
import { missingWords, type SpendFields } from './spend.ts'

interface AnswerProps {
  readonly answer: Simulation | undefined
  readonly error: PurserError | null
  readonly currency: string
  readonly fields: SpendFields
  readonly txn: string | undefined
  /** The fields have changed since: the next answer is on its way. */
  readonly isOld: boolean
  readonly isLoading: boolean
  readonly onRetry: () => void
}

/** The “Why?” of the spend, as it would be. */
export function Answer(props: AnswerProps) {
  return (
    <section
      aria-label="Answer"
      aria-live="polite"
      className="min-w-0 border-line max-laptop:border-t"
    >
      <Inside {...props} />
    </section>
  )
}

function Inside({ answer, error, currency, fields, txn, isOld, isLoading, onRetry }: AnswerProps) {
  const definitions = useDefinitions(answer)
  if (error) {
    return (
      <div className="p-4 tablet:p-6">
        <ErrorNotice title="The spend could not be judged." error={error} onRetry={onRetry} />
      </div>
    )
  }
  if (answer) {
    return (
      <div className={isOld ? 'opacity-60' : ''} aria-busy={isOld}>
        <WhyDecision
          evaluation={answer}
          currency={currency}
          isTested={txn === undefined}
          definitions={definitions}
          action={<MandateLink answer={answer} />}
        >
          {txn ? <Differences answer={answer} /> : <Conditions fields={fields} />}
        </WhyDecision>
      </div>
    )
  }
  if (isLoading) {
    return (
      <div className="p-4 tablet:p-6">
        <Skeleton rows={8} />
      </div>
    )
  }
  return (
    <div className="grid h-full place-items-center px-6 py-12 text-center text-ink-2">
      <div className="max-w-[42ch] text-balance">
        <FlaskConical size={20} strokeWidth={1.5} className="mx-auto mb-2 text-ink-3" aria-hidden />
        <b className="text-ink">The answer appears here.</b>
        <p className="mt-1">{missingWords(fields)}</p>
      </div>
    </div>
  )
}

/** The assumptions of the simulation. */
function Conditions({ fields: { at, path } }: { readonly fields: SpendFields }) {
  const timezone = useTimezone()
  const time = new Date(at)
  return (
    <>
      {Number.isNaN(time.getTime()) ? null : (
        <Notice icon={<Clock size={16} strokeWidth={1.75} aria-hidden />}>
          Judged as of {formatDay(time, timezone, new Date())}, {formatTime(time, timezone)}.
          Budgets and limits know the spends up to now.
        </Notice>
      )}
      {path === 'evaluate' ? null : (
        <Notice icon={<Route size={16} strokeWidth={1.75} aria-hidden />}>
          The simulation leaves out the checks that only the path {PATH_WORDS[path]} makes, such as
          those of payees, wallets and cards.
        </Notice>
      )}
    </>
  )
}

/** The rules that judged, which make the words of limits exact. */
function useDefinitions(answer: Simulation | undefined): readonly Rule[] | undefined {
  const id = answer?.mandateId ?? ''
  const { data: mandate } = useQuery({ ...queries.mandate(id), enabled: id !== '' })
  const isSame = mandate?.version === answer?.evaluationDetails.mandateVersion
  return isSame ? mandate?.rules : undefined
}

function MandateLink({
  answer: { mandateId, evaluationDetails },
}: {
  readonly answer: Simulation
}) {
  const id = mandateId ?? ''
  const { data: mandate } = useQuery({ ...queries.mandate(id), enabled: id !== '' })
  if (id === '') return null
  const version = evaluationDetails.mandateVersion
  return (
    <Link to="/mandates/$id" params={{ id }} className="font-medium">
      <bdi>{mandate?.name ?? 'Mandate'}</bdi>
      {version ? `, version ${version}` : ''}
    </Link>
  )
}

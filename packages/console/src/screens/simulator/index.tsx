import { useMe } from '../../data/session.ts'
import { useTitle } from '../../page/use-title.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { GuardedPage } from '../../parts/guarded.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Answer } from './answer.tsx'
import { HistoryList } from './history-list.tsx'
import { SpendForm } from './spend-form.tsx'
import { StoredSpend } from './stored-spend.tsx'
import { useSimulation } from './use-simulation.ts'
import { useSpend } from './use-spend.ts'

/** "Would this pass?": a spend on the left, the answer on the right. Nothing is stored. */
export function Simulator() {
  useTitle('Simulator')
  return (
    <GuardedPage scope="gateway:read" what="Simulations">
      <Content />
    </GuardedPage>
  )
}

function Content() {
  const { member } = useMe()
  const { fields, judged, txn, change, flush } = useSpend()
  const simulated = useSimulation(judged, txn)
  const { input, answer, error, currency, search, isLoading, judge } = simulated
  const isTyping = txn === undefined && JSON.stringify(fields) !== JSON.stringify(judged)
  return (
    <>
      <PageHeader title="Simulator" after="Would this pass? Nothing is spent or recorded.">
        {input ? (
          <CopyCurl request={{ method: 'POST', path: '/gateway/simulate', body: input }} />
        ) : undefined}
      </PageHeader>
      <div className="grid last:flex-1 laptop:min-h-116 laptop:grid-cols-[23.75rem_minmax(0,1fr)]">
        <div className="border-line p-4 tablet:p-6 laptop:border-r">
          {txn ? (
            <StoredSpend id={txn} />
          ) : (
            <SpendForm
              {...{ fields, change, currency, error }}
              isBusy={simulated.isBusy}
              onJudge={() => {
                flush()
                judge()
              }}
            />
          )}
        </div>
        <Answer
          {...{ answer, error, currency, fields, txn, isLoading }}
          isOld={simulated.isOld || isTyping}
          onRetry={judge}
        />
      </div>
      <HistoryList owner={member.id} current={search} />
    </>
  )
}

import type { CreatedApiKey } from '@purser/sdk'
import { useState } from 'react'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { StepList } from '../../parts/first-run/step-list.tsx'
import { progressSentence } from '../../parts/first-run/steps.ts'
import { type FirstRun, useFirstRun } from '../../parts/first-run/use-first-run.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { DueStep } from './due-step.tsx'
import { FreshKey } from './fresh-key.tsx'
import { LostKey } from './lost-key.tsx'

/** From this width on, the list stands beside the step: the breakpoint `laptop`. */
const WIDE = '(min-width: 68.8125rem)'

/** From the set-up to the first decision. The step that is due follows from the existing things. */
export function Start() {
  useTitle('Getting started')
  const { run, error, retry } = useFirstRun()
  const isWide = useMedia(WIDE)
  // On a narrow page the step that is due comes first, also for the keyboard.
  const parts = run
    ? [<StepList key="list" steps={run.steps} />, <Steps key="due" run={run} />]
    : []
  return (
    <>
      <PageHeader title="Getting started" after={run ? progressSentence(run.steps) : undefined}>
        <Button render={<Link to="/" />} variant="quiet">
          {run?.hasSpend ? 'Go to the overview' : 'Skip, I know my way'}
        </Button>
      </PageHeader>
      {run ? (
        <div className="grid gap-6 p-4 tablet:p-6 laptop:grid-cols-[20rem_minmax(0,1fr)]">
          {isWide ? parts : parts.toReversed()}
        </div>
      ) : (
        <div className="p-6">
          {error ? (
            <ErrorNotice error={error} onRetry={retry} title="The steps could not be loaded." />
          ) : (
            <Skeleton shape="block" height={360} />
          )}
        </div>
      )}
    </>
  )
}

/** The key is in the memory of this page alone, and gone after a reload. */
function Steps({ run }: { readonly run: FirstRun }) {
  const [fresh, setFresh] = useState<CreatedApiKey | null>(null)
  const [isCopied, setIsCopied] = useState(false)
  const [isHidden, setIsHidden] = useState(false)
  const take = (created: CreatedApiKey) => {
    setFresh(created)
    setIsCopied(false)
    setIsHidden(false)
  }
  const lost = fresh || run.hasSpend ? undefined : run.key
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {fresh && !isHidden ? (
        <FreshKey
          created={fresh}
          isCopied={isCopied}
          onCopied={() => setIsCopied(true)}
          onHide={() => setIsHidden(true)}
        />
      ) : null}
      {lost ? <LostKey lost={lost} onCreated={take} /> : null}
      <DueStep apiKey={fresh?.apiKey} onKey={take} run={run} />
    </div>
  )
}

import { ArrowRight, Send, UserPlus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { StepList } from '../../parts/first-run/step-list.tsx'
import { peopleSentence, progressSentence } from '../../parts/first-run/steps.ts'
import { useFirstRun } from '../../parts/first-run/use-first-run.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

const DISMISSED = 'purser.next-steps'

/** Before the first spend: the whole checklist. After it: the webhook and the second person. */
export function NextSteps({ isEmpty }: { readonly isEmpty: boolean }) {
  const { run } = useFirstRun()
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null)
  if (!run) return null
  if (isEmpty) {
    return (
      <Card aria-label="Getting started" className="max-w-160">
        <CardHeader title="Getting started" note={progressSentence(run.steps)} />
        <CardBody className="flex flex-col gap-3">
          <p className="px-3 text-ink-2">
            Nothing has been spent yet. These steps lead to the first decision. Each is ticked as
            soon as its part exists.
          </p>
          <StepList steps={run.steps} />
          <div className="px-3">
            <Button
              icon={<ArrowRight aria-hidden="true" size={14} />}
              render={<Link to="/start" />}
              variant="primary"
            >
              Continue
            </Button>
          </div>
        </CardBody>
      </Card>
    )
  }
  const open = run.steps.filter(
    ({ id, state }) => state !== 'done' && (id === 'webhook' || id === 'people'),
  )
  if (isDismissed || open.length === 0) return null
  const dismiss = () => {
    localStorage.setItem(DISMISSED, new Date().toISOString())
    setIsDismissed(true)
  }
  return (
    <Card aria-label="Next steps" data-print="none" well>
      <div className="flex items-center gap-2 px-3.5 py-1.5">
        <ul className="flex min-w-0 flex-1 flex-wrap gap-x-8 gap-y-2.5">
          {open.map(({ id }) =>
            id === 'webhook' ? (
              <NextStep
                icon={<Send aria-hidden="true" size={16} strokeWidth={1.5} />}
                key={id}
                link={<Link to="/settings/webhook">Set up the webhook</Link>}
              >
                Your server can get every decision as it is made.
              </NextStep>
            ) : (
              <NextStep
                icon={<UserPlus aria-hidden="true" size={16} strokeWidth={1.5} />}
                key={id}
                link={<Link to="/settings/members">Invite someone</Link>}
              >
                {peopleSentence(run.organization.requireFourEyes)}
              </NextStep>
            ),
          )}
        </ul>
        <IconButton
          icon={<X aria-hidden="true" size={14} />}
          label="Dismiss these steps"
          onClick={dismiss}
          size="sm"
        />
      </div>
    </Card>
  )
}

interface NextStepProps {
  readonly icon: ReactNode
  readonly link: ReactNode
  readonly children: ReactNode
}

function NextStep({ icon, link, children }: NextStepProps) {
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      <span className="mt-0.5 flex-none text-ink-3">{icon}</span>
      <span className="text-ink-2" data-prose="">
        {children} {link}
      </span>
    </li>
  )
}

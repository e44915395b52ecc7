import { CircleAlert, Lock, Power, Terminal, TriangleAlert } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { LivePill } from '../../ui/live-pill.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stepper } from '../../ui/stepper.tsx'

export function KitStates() {
  return (
    <>
      <Card>
        <CardHeader title="Empty" />
        <Empty
          action={
            <Button icon={<Terminal aria-hidden="true" size={14} />}>Show me the call</Button>
          }
          title="No transactions yet."
        >
          They appear here the moment an agent asks to spend.
        </Empty>
      </Card>
      <Card>
        <CardHeader title="Loading, error, forbidden" />
        <CardBody className="grid gap-3">
          <Skeleton />
          <Notice
            action={<Button size="sm">Try again</Button>}
            icon={<TriangleAlert aria-hidden="true" />}
            title="The list could not be loaded."
            tone="no"
          >
            The gateway did not answer within 10 seconds. What you see is from 10:38.
          </Notice>
          <Notice icon={<Lock aria-hidden="true" />} title="API keys are for owners and admins.">
            You are a viewer. Ask Ada Lindqvist (owner) for another role.
          </Notice>
          <Notice
            action={<Button size="sm">Resume spending…</Button>}
            icon={<Power aria-hidden="true" />}
            title="All spending is frozen."
            tone="no"
          >
            Ada Lindqvist froze it 12 minutes ago. Every spend is rejected.
          </Notice>
          <Notice icon={<CircleAlert aria-hidden="true" />} title="Look at this." tone="ask">
            A rule never triggers. <a href="#rule">See the rule</a>
          </Notice>
          <Notice title="Would pass now:" tone="accent">
            up to 250.00 USD at sas.se. Waiting does not help.
          </Notice>
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Live" />
        <CardBody>
          <div className="mb-3 flex flex-wrap gap-5 text-small text-ink-2">
            <span className="inline-flex items-center gap-1.75">
              <LiveDot /> Live, 2 s ago
            </span>
            <span className="inline-flex items-center gap-1.75">
              <LiveDot state="paused" /> Paused at 10:41
            </span>
            <span className="inline-flex items-center gap-1.75">
              <LiveDot state="off" /> Live updates are off
            </span>
          </div>
          <LivePill count={12} onShow={() => undefined} />
          <div className="h-10" />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Steps" />
        <CardBody>
          <Stepper
            label="Set-up"
            steps={[
              { id: 'a', title: 'Become the owner', state: 'done' },
              { id: 'b', title: 'Make a key', note: 'for one agent', state: 'now' },
              { id: 'c', title: 'Register an agent', state: 'next' },
            ]}
          />
        </CardBody>
      </Card>
    </>
  )
}

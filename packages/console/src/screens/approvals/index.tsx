import { lazy, Suspense } from 'react'
import { useTitle } from '../../page/use-title.ts'
import { Link } from '../../router/link.tsx'
import { useParams, useSearch } from '../../router/use-router.ts'
import { LinkSegments } from '../../ui/link-segments.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { NotifyButton } from './notify-button.tsx'
import { useIsWide } from './panes.tsx'
import { useInbox } from './use-inbox.ts'
import { Waiting } from './waiting.tsx'

// Most people come to decide, so the history loads when it is opened.
const Answered = lazy(async () => ({ default: (await import('./answered.tsx')).Answered }))

/** Requests for a person's approval: those that wait, and those that were answered. */
export function Approvals() {
  const { status, agent } = useSearch()
  const { id } = useParams()
  const inbox = useInbox(agent)
  const { pending } = inbox
  const isWide = useIsWide()
  const isAnswered = status !== undefined && status !== 'pending'
  const filter = agent === undefined ? {} : { agent }
  useTitle(pending > 0 ? `(${pending}) Approvals` : 'Approvals')
  return (
    <>
      <PageHeader
        title="Approvals"
        after={
          <LinkSegments
            label="Which approvals"
            items={[
              {
                ...{ label: 'Waiting', count: pending, isCurrent: !isAnswered },
                render: <Link to="/approvals" search={filter} />,
              },
              {
                ...{ label: 'Answered', isCurrent: isAnswered },
                render: <Link to="/approvals" search={{ ...filter, status: 'answered' }} />,
              },
            ]}
          />
        }
      >
        {isWide ? (
          <>
            <p className="text-small text-ink-3 max-laptop:hidden">
              No budget is held while you decide. The agent retries after you approve.
            </p>
            <NotifyButton />
          </>
        ) : undefined}
      </PageHeader>
      {isAnswered ? (
        <Suspense>
          <Answered id={id} status={status} agent={agent} />
        </Suspense>
      ) : (
        <Waiting id={id} agent={agent} inbox={inbox} />
      )}
    </>
  )
}

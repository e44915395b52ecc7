import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTitle } from '../../page/use-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Answered } from './answered.tsx'
import { NotifyButton } from './notify-button.tsx'
import { useIsWide } from './panes.tsx'
import { useInbox } from './use-inbox.ts'
import { Waiting } from './waiting.tsx'

/** Requests for a person's approval: those that wait, and those that were answered. */
export function Approvals() {
  const { status, agent } = useSearch({ from: '/console/approvals' })
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const inbox = useInbox(agent)
  const { pending } = inbox
  const isWide = useIsWide()
  const isAnswered = status !== undefined && status !== 'pending'
  useTitle(pending > 0 ? `(${pending}) Approvals` : 'Approvals')
  return (
    <>
      <PageHeader
        title="Approvals"
        after={
          <Segmented
            label="Which approvals"
            value={isAnswered ? 'answered' : 'waiting'}
            onChange={(tab) => {
              const search = tab === 'answered' ? { status: 'answered' } : {}
              void navigate({ to: '/approvals', search: { ...search, ...(agent && { agent }) } })
            }}
            options={[
              { value: 'waiting', label: 'Waiting', count: pending },
              { value: 'answered', label: 'Answered' },
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
        <Answered id={id} status={status} agent={agent} />
      ) : (
        <Waiting id={id} agent={agent} inbox={inbox} />
      )}
      <Outlet />
    </>
  )
}

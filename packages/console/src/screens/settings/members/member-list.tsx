import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { asPurserError } from '../../../data/use-action.ts'
import type { Member } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Table, Th } from '../../../ui/table.tsx'
import { MemberRow, type MemberVerb } from './member-row.tsx'
import { isLastOwner } from './rights.ts'

const ChangeRole = lazy(() =>
  import('./change-role.tsx').then((all) => ({ default: all.ChangeRole })),
)
const ResetLink = lazy(() => import('./reset-link.tsx').then((all) => ({ default: all.ResetLink })))
const RemoveMember = lazy(() =>
  import('./remove-member.tsx').then((all) => ({ default: all.RemoveMember })),
)

export function MemberList() {
  const { data, error, refetch } = useQuery(queries.members())
  const [open, setOpen] = useState<{ verb: MemberVerb; member: Member } | null>(null)
  const close = () => setOpen(null)
  if (!data) {
    return error ? (
      <div className="px-4 tablet:px-6">
        <ErrorNotice
          error={asPurserError(error)}
          onRetry={() => void refetch()}
          title="The members could not be loaded."
        />
      </div>
    ) : (
      <Skeleton rows={4} shape="table" />
    )
  }
  return (
    <>
      <Table caption="Members">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th className="max-tablet:hidden">E-mail</Th>
            <Th className="max-phone:hidden">Role</Th>
            <Th className="max-tablet:hidden">Joined</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((member) => (
            <MemberRow
              isLastOwner={!data.hasMore && isLastOwner(member, data.data)}
              key={member.id}
              member={member}
              onAct={(verb) => setOpen({ verb, member })}
            />
          ))}
        </tbody>
      </Table>
      <Suspense>
        {open?.verb === 'role' ? <ChangeRole member={open.member} onClose={close} /> : null}
        {open?.verb === 'reset' ? <ResetLink member={open.member} onClose={close} /> : null}
        {open?.verb === 'remove' ? <RemoveMember member={open.member} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

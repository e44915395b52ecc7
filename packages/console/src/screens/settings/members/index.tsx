import { UserPlus, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../../data/session.ts'
import { useTitle } from '../../../page/use-title.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { ROLE_WORDS } from '../../../words/roles.ts'
import { Invitations } from './invitations.tsx'
import { MemberList } from './member-list.tsx'
import { managesMembers } from './rights.ts'

const Invite = lazy(() => import('./invite.tsx').then((all) => ({ default: all.Invite })))

/** The people who can sign in, with their permissions. */
export function MemberSettings() {
  useTitle('Members')
  const { member } = useMe()
  const [isInviting, setInviting] = useState(false)
  const mayManage = managesMembers(member.role)
  const { youAre } = ROLE_WORDS[member.role]
  return (
    <>
      <PageHeader crumbs={[{ label: 'Settings' }]} title="Members">
        <Button
          disabledReason={mayManage ? undefined : `For owners and admins. ${youAre}`}
          icon={<UserPlus aria-hidden="true" size={16} strokeWidth={1.5} />}
          onClick={() => setInviting(true)}
          variant="primary"
        >
          Invite a person
        </Button>
      </PageHeader>
      {mayManage ? (
        <>
          <p className="max-w-[78ch] px-4 py-3.5 text-ink-2 tablet:px-6">
            People sign in, programs use keys. Purser records everything that a person does under
            their name.
          </p>
          <MemberList />
          <Invitations />
        </>
      ) : (
        <div className="p-6">
          <Notice
            icon={<Users aria-hidden="true" size={16} strokeWidth={1.5} />}
            title="Members are for owners and admins."
            tone="done"
          >
            {youAre} Ask an owner for a different role.
          </Notice>
        </div>
      )}
      <Suspense>{isInviting ? <Invite onClose={() => setInviting(false)} /> : null}</Suspense>
    </>
  )
}

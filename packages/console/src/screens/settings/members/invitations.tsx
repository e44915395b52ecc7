import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { useMe } from '../../../data/session.ts'
import { asPurserError } from '../../../data/use-action.ts'
import type { Invitation } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useNow, When } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row, Table, Td, Th } from '../../../ui/table.tsx'
import { ROLE_WORDS } from '../../../words/roles.ts'

const WithdrawInvitation = lazy(() =>
  import('./withdraw-invitation.tsx').then((all) => ({ default: all.WithdrawInvitation })),
)

/** Invitations that no one has accepted yet. */
export function Invitations() {
  const now = useNow()
  const { data, error, refetch } = useQuery(queries.invitations())
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null)
  const open = (data?.data ?? []).filter(({ expiresAt }) => Date.parse(expiresAt) > now)
  if (error && !data) {
    return (
      <div className="mt-6 px-4 tablet:px-6">
        <ErrorNotice
          error={asPurserError(error)}
          onRetry={() => void refetch()}
          title="The invitations could not be loaded."
        />
      </div>
    )
  }
  if (open.length === 0) return null
  return (
    <section aria-label="Invitations" className="mt-6">
      <h2 className="px-4 pb-2 font-strong tablet:px-6">Invitations</h2>
      <Table caption="Invitations">
        <thead>
          <tr>
            <Th>E-mail</Th>
            <Th className="max-phone:hidden">Role</Th>
            <Th>Expires</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {open.map((invitation) => (
            <InvitationRow
              invitation={invitation}
              key={invitation.id}
              onWithdraw={() => setWithdrawn(invitation)}
            />
          ))}
        </tbody>
      </Table>
      <Suspense>
        {withdrawn ? (
          <WithdrawInvitation invitation={withdrawn} onClose={() => setWithdrawn(null)} />
        ) : null}
      </Suspense>
    </section>
  )
}

interface InvitationRowProps {
  readonly invitation: Invitation
  readonly onWithdraw: () => void
}

function InvitationRow({ invitation, onWithdraw }: InvitationRowProps) {
  const { member } = useMe()
  const { email, name, role, expiresAt } = invitation
  const isOff = role === 'owner' && member.role !== 'owner'
  return (
    <Row>
      <Td className="max-tablet:whitespace-normal">
        <span className="wrap-anywhere">{email ?? 'The first owner'}</span>{' '}
        {name ? <bdi className="text-ink-3">{name}</bdi> : null}
      </Td>
      <Td className="max-phone:hidden">{ROLE_WORDS[role].name}</Td>
      <Td>
        <When ago at={expiresAt} />
      </Td>
      <Td align="right">
        <Button
          aria-label={`Withdraw the invitation of ${email ?? 'the first owner'}`}
          disabledReason={isOff ? 'Only an owner can withdraw an owner’s invitation.' : undefined}
          onClick={onWithdraw}
          size="sm"
        >
          Withdraw…
        </Button>
      </Td>
    </Row>
  )
}

import { useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { useAction } from '../../../data/use-action.ts'
import type { Member } from '../../../generated/console-api.ts'
import { SecretOnce } from '../../../parts/secret/secret-once.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { linkOf } from './rights.ts'

interface ResetLinkProps {
  readonly member: Member
  readonly onClose: () => void
}

/** A link with which a member sets a new password. */
export function ResetLink({ member, onClose }: ResetLinkProps) {
  const [link, setLink] = useState<string | null>(null)
  const create = useAction({
    run: (_: undefined) => callConsole('createResetLink', { params: { id: member.id } }),
    sentence: `Create a reset link for ${member.name}.`,
    onDone: (answer) => setLink(linkOf(answer, location.origin)),
  })
  if (link !== null) {
    return (
      <SecretOnce
        description="Purser does not mail this link. Hand it over: it works once, for a limited time."
        noun="link"
        onClose={onClose}
        secret={link}
        title={`Here is the reset link for ${member.name}`}
      />
    )
  }
  return (
    <Confirm
      action={{
        label: 'Create the reset link',
        // The dialog stays, and shows the link in its place.
        onConfirm: async () => {
          await create.start(undefined)
          throw new Error('')
        },
      }}
      effect="Anyone who has the link can set a new password and sign in as this member. That ends all of their sessions, passkeys and recovery codes. Nothing changes until the link is used."
      error={create.error ? errorSentence(create.error) : undefined}
      errorText={() => null}
      onClose={onClose}
      open
      title={`Create a reset link for ${member.name}?`}
    />
  )
}

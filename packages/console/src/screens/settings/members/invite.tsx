import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { queries } from '../../../data/queries.ts'
import { useMe } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import type { CreateInvitation } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { SecretOnce } from '../../../parts/secret/secret-once.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import type { Role } from '../../../words/roles.ts'
import { grantableRoles, linkOf } from './rights.ts'
import { RoleField } from './role-field.tsx'

const MAILED = 'Purser mails this link too. It works once, for 7 days.'
const NOT_MAILED = 'Purser sends no mail. Hand this link over: it works once, for 7 days.'

/** Invites a person. The link is shown once, and works once. */
export function Invite({ onClose }: { readonly onClose: () => void }) {
  const { member } = useMe()
  const sendsMail = useQuery(queries.messages()).data?.sendsMail === true
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [link, setLink] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const invite = useAction({
    run: (body: CreateInvitation) => callConsole('createInvitation', { body }),
    sentence: (body) => `Invite ${body.email}.`,
    touches: [['members']],
    onDone: (answer) => setLink(linkOf(answer, location.origin)),
  })
  if (link !== null) {
    return (
      <SecretOnce
        description={sendsMail ? MAILED : NOT_MAILED}
        noun="link"
        onClose={onClose}
        secret={link}
        title={`Here is the link for ${email.trim()}`}
      />
    )
  }
  async function submit() {
    const body = { email: email.trim(), role, ...(name.trim() === '' ? {} : { name: name.trim() }) }
    if ((await invite.start(body)) === undefined) field.current?.focus()
  }
  const emailError = fieldError(invite.error, '/email')
  return (
    <Dialog
      description={
        sendsMail
          ? 'Purser mails the link, and shows it to you once.'
          : 'You get a link that you hand over yourself.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={invite.isBusy} type="submit" variant="primary">
            Create the invitation
          </Button>
        </>
      }
      initialFocus={field}
      onClose={onClose}
      onSubmit={() => void submit()}
      open
      size="sm"
      title="Invite a person"
    >
      <div className="grid gap-4">
        <TextField
          error={emailError}
          label="E-mail"
          onChange={setEmail}
          ref={field}
          required
          type="email"
          value={email}
        />
        <TextField
          error={fieldError(invite.error, '/name')}
          label="Name"
          note="optional"
          onChange={setName}
          value={name}
        />
        <RoleField
          onChange={setRole}
          roles={grantableRoles(member.role).toReversed()}
          value={role}
        />
        <ErrorNotice
          error={emailError === undefined ? invite.error : null}
          title="The invitation was not created."
        />
      </div>
    </Dialog>
  )
}

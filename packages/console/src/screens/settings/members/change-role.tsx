import { useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { useMe } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import type { Member } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ROLE_WORDS, type Role } from '../../../words/roles.ts'
import { grantableRoles } from './rights.ts'
import { RoleField } from './role-field.tsx'

interface ChangeRoleProps {
  readonly member: Member
  readonly onClose: () => void
}

export function ChangeRole({ member, onClose }: ChangeRoleProps) {
  const me = useMe()
  const [role, setRole] = useState<Role>(member.role)
  const word = ROLE_WORDS[role].name.toLowerCase()
  const article = /^[aeiou]/.test(word) ? 'an' : 'a'
  const change = useAction({
    run: (next: Role) =>
      callConsole('updateMember', { params: { id: member.id }, body: { role: next } }),
    sentence: `Change the role of ${member.name}.`,
    touches: [['members'], ['me']],
    done: () => `${member.name} is ${article} ${word} now.`,
    onDone: onClose,
  })
  return (
    <Dialog
      description="The role counts within a second. Pending reset links for this member end, and so do links that the new role could not have created."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            busy={change.isBusy}
            disabledReason={role === member.role ? 'Choose a different role.' : undefined}
            type="submit"
            variant="primary"
          >
            Make {member.name} {article} {word}
          </Button>
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        if (role !== member.role) void change.start(role)
      }}
      open
      size="sm"
      title={`Change the role of ${member.name}`}
    >
      <div className="grid gap-3">
        <RoleField onChange={setRole} roles={grantableRoles(me.member.role)} value={role} />
        <ErrorNotice error={change.error} title="The role was not changed." />
      </div>
    </Dialog>
  )
}

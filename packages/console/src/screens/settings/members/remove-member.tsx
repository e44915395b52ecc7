import { callConsole } from '../../../data/console-api.ts'
import { useAction } from '../../../data/use-action.ts'
import type { Member } from '../../../generated/console-api.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'

interface RemoveMemberProps {
  readonly member: Member
  readonly onClose: () => void
}

export function RemoveMember({ member, onClose }: RemoveMemberProps) {
  const remove = useAction({
    run: (_: undefined) => callConsole('removeMember', { params: { id: member.id } }),
    sentence: `Remove ${member.name}.`,
    touches: [['members']],
    done: () => `${member.name} is removed.`,
  })
  return (
    <Confirm
      action={{
        label: `Remove ${member.name}`,
        tone: 'danger',
        onConfirm: async () => {
          if (!(await remove.start(undefined))) throw new Error('not removed')
        },
      }}
      effect="Their sessions, passkeys, recovery codes and pending links end within a second. API keys that they created stay until you revoke them. What they did stays in the audit log. You can invite them again."
      error={remove.error ? errorSentence(remove.error) : undefined}
      onClose={onClose}
      open
      title={`Remove ${member.name}?`}
    />
  )
}

import { callConsole } from '../../../data/console-api.ts'
import { useAction } from '../../../data/use-action.ts'
import type { Invitation } from '../../../generated/console-api.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'

interface WithdrawInvitationProps {
  readonly invitation: Invitation
  readonly onClose: () => void
}

/** Shows the effect of a withdrawal, then withdraws the invitation. */
export function WithdrawInvitation({ invitation, onClose }: WithdrawInvitationProps) {
  const { id, email } = invitation
  const withdraw = useAction({
    run: (_: undefined) => callConsole('withdrawInvitation', { params: { id } }),
    sentence: 'Withdraw an invitation.',
    touches: [['members']],
    done: () => 'The invitation is withdrawn. Its link no longer works.',
  })
  return (
    <Confirm
      action={{
        label: 'Withdraw the invitation',
        tone: 'danger',
        onConfirm: async () => {
          if (!(await withdraw.start(undefined))) throw new Error('not withdrawn')
        },
      }}
      cancelLabel="Keep it"
      effect="The link stops working at once, and this cannot be undone. You can invite the person again, with a new link."
      error={withdraw.error ? errorSentence(withdraw.error) : undefined}
      onClose={onClose}
      open
      title={`Withdraw the invitation of ${email ?? 'the first owner'}?`}
    />
  )
}

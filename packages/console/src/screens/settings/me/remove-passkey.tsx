import { callConsole } from '../../../data/console-api.ts'
import { useAction } from '../../../data/use-action.ts'
import type { Passkey } from '../../../generated/console-api.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'

interface RemovePasskeyProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

export function RemovePasskey({ passkey, onClose }: RemovePasskeyProps) {
  const remove = useAction({
    run: (_: undefined) => callConsole('removePasskey', { params: { id: passkey.id } }),
    sentence: `Remove the passkey ${passkey.name}.`,
    touches: [['me', 'passkeys']],
    done: () => `${passkey.name} is removed.`,
  })
  return (
    <Confirm
      action={{
        label: `Remove ${passkey.name}`,
        tone: 'danger',
        onConfirm: async () => {
          if (!(await remove.start(undefined))) throw new Error('not removed')
        },
      }}
      effect="It no longer signs you in. Your password and your other passkeys still do. The device may still offer it until you delete it there."
      error={remove.error ? errorSentence(remove.error) : undefined}
      onClose={onClose}
      open
      title={`Remove ${passkey.name}?`}
    />
  )
}

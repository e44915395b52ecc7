import { useRef, useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { registerPasskey } from '../../../data/passkeys.ts'
import { useAction } from '../../../data/use-action.ts'
import type { Passkey } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { browserName } from './browser-name.ts'

interface PasskeyDialogProps {
  /** The passkey that is renamed; null to add one. */
  readonly passkey: Passkey | null
  readonly onClose: () => void
}

export function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const [name, setName] = useState(passkey?.name ?? browserName(navigator.userAgent))
  const field = useRef<HTMLInputElement>(null)
  const save = useAction({
    run: async (text: string) => {
      if (passkey === null) await registerPasskey(text)
      else await callConsole('renamePasskey', { params: { id: passkey.id }, body: { name: text } })
      return true
    },
    sentence: passkey ? 'Rename a passkey.' : 'Add a passkey.',
    touches: [['me', 'passkeys']],
    done: () => (passkey ? 'The passkey is renamed.' : 'The passkey is added.'),
    onDone: onClose,
  })
  const nameError = fieldError(save.error, '/name')
  const isRefused = save.error?.code === 'passkey_refused' && save.error.status === null
  return (
    <Dialog
      description={
        passkey ? undefined : 'The browser then asks for your fingerprint, face, PIN or key.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            busy={save.isBusy}
            disabledReason={name.trim() === '' ? 'Give the passkey a name.' : undefined}
            type="submit"
            variant="primary"
          >
            {passkey ? 'Rename' : 'Add the passkey'}
          </Button>
        </>
      }
      initialFocus={field}
      onClose={onClose}
      onSubmit={() => {
        if (name.trim() !== '') void save.start(name.trim())
      }}
      open
      size="sm"
      title={passkey ? `Rename ${passkey.name}` : 'Add a passkey'}
    >
      <div className="grid gap-3">
        <TextField
          error={nameError}
          help="So that you know later where it is."
          label="Name"
          maxLength={120}
          onChange={setName}
          ref={field}
          value={name}
        />
        {isRefused ? (
          <Notice role="alert" tone="no">
            The browser made no passkey: you canceled, the time ran out, or this device has one for
            Purser already. Try again.
          </Notice>
        ) : (
          <ErrorNotice
            error={nameError === undefined ? save.error : null}
            title={passkey ? 'The passkey was not renamed.' : 'The passkey was not added.'}
          />
        )}
      </div>
    </Dialog>
  )
}

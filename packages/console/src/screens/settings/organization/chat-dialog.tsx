import { useRef, useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { useAction } from '../../../data/use-action.ts'
import type { UpdateMessageChat } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'

interface ChatDialogProps {
  readonly hasChat: boolean
  readonly onClose: () => void
}

/** Sets the URL of the chat. The saved one is never shown, so the field begins empty. */
export function ChatDialog({ hasChat, onClose }: ChatDialogProps) {
  const [url, setUrl] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const save = useAction({
    run: (body: UpdateMessageChat) => callConsole('updateMessageChat', { body }),
    sentence: 'Send messages to a chat.',
    touches: [['me', 'messages']],
    done: () => 'The chat is saved.',
    onDone: onClose,
  })
  const urlError = fieldError(save.error, '/url')
  async function submit() {
    if (url.trim() === '') return
    if ((await save.start({ url: url.trim() })) === undefined) field.current?.focus()
  }
  return (
    <Dialog
      description="Everyone who can read the chat sees agents, amounts and vendors. Answers need a sign-in."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            busy={save.isBusy}
            disabledReason={url.trim() === '' ? 'Enter a URL.' : undefined}
            type="submit"
            variant="primary"
          >
            Save the chat
          </Button>
        </>
      }
      initialFocus={field}
      onClose={onClose}
      onSubmit={() => void submit()}
      open
      title={hasChat ? 'Change the URL of the chat' : 'Enter the URL of the chat'}
    >
      <div className="grid gap-3">
        <TextField
          error={urlError}
          help="The URL of an incoming webhook. It is a secret: Purser stores it encrypted, and shows its host alone."
          inputMode="url"
          label="URL"
          mono
          onChange={setUrl}
          placeholder="https://hooks.slack.com/services/…"
          ref={field}
          spellCheck={false}
          value={url}
        />
        <ErrorNotice
          error={urlError === undefined ? save.error : null}
          title="The chat was not saved."
        />
      </div>
    </Dialog>
  )
}

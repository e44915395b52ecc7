import { useRef, useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { useAction } from '../../../data/use-action.ts'
import type { UpdateMessageChat } from '../../../generated/console-api.ts'
import { UrlFormDialog } from '../../../parts/url-form-dialog.tsx'
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
  async function submit() {
    if (url.trim() === '') return
    if ((await save.start({ url: url.trim() })) === undefined) field.current?.focus()
  }
  return (
    <UrlFormDialog
      description="Everyone who can read the chat sees agents, amounts and vendors. Answers need a sign-in."
      onClose={onClose}
      onSubmit={submit}
      save={{
        verb: 'Save the chat',
        isBusy: save.isBusy,
        disabledReason: url.trim() === '' ? 'Enter a URL.' : undefined,
        error: save.error,
        failed: 'The chat was not saved.',
      }}
      title={hasChat ? 'Change the URL of the chat' : 'Enter the URL of the chat'}
      url={{
        ...{ value: url, onChange: setUrl, field, error: fieldError(save.error, '/url') },
        help: 'The URL of an incoming webhook. It is a secret: Purser stores it encrypted, and shows its host alone.',
        placeholder: 'https://hooks.slack.com/services/…',
      }}
    />
  )
}

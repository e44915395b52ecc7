import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../../data/console-api.ts'
import { queries } from '../../../data/queries.ts'
import { useMay } from '../../../data/session.ts'
import { asPurserError, useAction } from '../../../data/use-action.ts'
import type { GetMessagesAnswer, UpdateMessageChat } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { MESSAGE_KINDS, MESSAGE_WORDS, switched } from '../../../words/messages.ts'
import { ChatDialog } from './chat-dialog.tsx'
import { Section } from './section.tsx'

/** The chat that gets the organization's messages. Only the origin of its URL is ever shown. */
export function Chat() {
  const { data, error, refetch } = useQuery(queries.messages())
  const may = useMay('organization:write')
  const [isOpen, setOpen] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const label = data?.chat ? 'Change the URL' : 'Enter the URL'
  return (
    <Section
      action={
        data ? (
          <Button disabledReason={may.reason} onClick={() => setOpen(true)} size="sm">
            {label}
          </Button>
        ) : undefined
      }
      note="Slack, Mattermost and others"
      title="Chat"
    >
      {data ? (
        data.chat ? (
          <ChatKinds chat={data.chat} onRemove={() => setRemoving(true)} />
        ) : (
          <p className="text-ink-2">
            No chat gets messages. Enter the URL of an incoming webhook that understands the format
            of Slack.
          </p>
        )
      ) : error ? (
        <ErrorNotice
          error={asPurserError(error)}
          onRetry={() => void refetch()}
          title="The chat could not be loaded."
        />
      ) : (
        <Skeleton height={80} shape="block" />
      )}
      {isOpen ? <ChatDialog hasChat={data?.chat != null} onClose={() => setOpen(false)} /> : null}
      {isRemoving ? <RemoveChat onClose={() => setRemoving(false)} /> : null}
    </Section>
  )
}

interface ChatKindsProps {
  readonly chat: NonNullable<GetMessagesAnswer['chat']>
  readonly onRemove: () => void
}

function ChatKinds({ chat: { receiver, kinds }, onRemove }: ChatKindsProps) {
  const may = useMay('organization:write')
  const save = useAction({
    run: (body: UpdateMessageChat) => callConsole('updateMessageChat', { body }),
    sentence: 'Choose the messages of the chat.',
    touches: [['me', 'messages']],
    done: () => 'The choice is saved.',
  })
  return (
    <>
      <p>
        Messages go to <bdi className="font-mono">{receiver}</bdi>
      </p>
      {MESSAGE_KINDS.map((kind) => (
        <Switch
          checked={kinds.includes(kind)}
          disabled={!may.isAllowed || save.isBusy}
          help={MESSAGE_WORDS[kind].help}
          key={kind}
          label={MESSAGE_WORDS[kind].label}
          onChange={(isOn) => void save.start({ kinds: switched(kinds, kind, isOn) })}
        />
      ))}
      <ErrorNotice error={save.error} title="The choice was not saved." />
      <div>
        <Button disabledReason={may.reason} onClick={onRemove} variant="danger">
          Remove the chat
        </Button>
      </div>
    </>
  )
}

function RemoveChat({ onClose }: { readonly onClose: () => void }) {
  const remove = useAction({
    run: (_: undefined) => callConsole('removeMessageChat', {}),
    sentence: 'Remove the chat.',
    touches: [['me', 'messages']],
    done: () => 'The chat is removed.',
  })
  return (
    <Confirm
      action={{
        label: 'Remove the chat',
        tone: 'danger',
        onConfirm: async () => {
          if (!(await remove.start(undefined))) throw new Error('not removed')
        },
      }}
      effect="It gets no more messages. Purser forgets the URL. Members still get their mails."
      error={remove.error ? errorSentence(remove.error) : undefined}
      onClose={onClose}
      open
      title="Remove the chat?"
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../../data/console-api.ts'
import { queries } from '../../../data/queries.ts'
import { useMe } from '../../../data/session.ts'
import { asPurserError, useAction } from '../../../data/use-action.ts'
import type { ChooseMessages, GetMessagesAnswer } from '../../../generated/console-api.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { MESSAGE_WORDS, switched } from '../../../words/messages.ts'

/** The messages that the member gets by mail. */
export function OwnMessages() {
  const { member } = useMe()
  const { data, error, refetch } = useQuery(queries.messages())
  return (
    <Card aria-label="Messages">
      <CardHeader note={`by mail to ${member.email}`} title="Messages" />
      <CardBody className="grid gap-4">
        {data ? (
          <Choices messages={data} />
        ) : error ? (
          <ErrorNotice
            error={asPurserError(error)}
            onRetry={() => void refetch()}
            title="Your messages could not be loaded."
          />
        ) : (
          <Skeleton height={120} shape="block" />
        )}
      </CardBody>
    </Card>
  )
}

function Choices({ messages }: { readonly messages: GetMessagesAnswer }) {
  const { sendsMail, offered, kinds, isDefault } = messages
  const save = useAction({
    run: (body: ChooseMessages) => callConsole('chooseMessages', { body }),
    sentence: 'Choose your messages.',
    touches: [['me', 'messages']],
    done: () => 'Your choice is saved.',
  })
  return (
    <>
      {sendsMail ? null : (
        <Notice>
          This gateway sends no mail yet. Your choice applies once the operator has set an SMTP
          server.
        </Notice>
      )}
      {offered.map((kind) => (
        <Switch
          checked={kinds.includes(kind)}
          disabled={save.isBusy}
          help={MESSAGE_WORDS[kind].help}
          key={kind}
          label={MESSAGE_WORDS[kind].label}
          onChange={(isOn) => void save.start({ kinds: switched(kinds, kind, isOn) })}
        />
      ))}
      <p className="text-small text-ink-3">
        The first message comes at once. What follows within a few minutes comes as one message.
      </p>
      <ErrorNotice error={save.error} title="Your choice was not saved." />
      {isDefault ? null : (
        <div>
          <Button busy={save.isBusy} onClick={() => void save.start({ kinds: null })}>
            Use the defaults of your role
          </Button>
        </div>
      )}
    </>
  )
}

import type { CardConnection, CardConnectionChange } from '@purser/sdk'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { errorSentence } from '../../words/errors.ts'

export type ConnectionDoing = 'disable' | 'enable' | 'rotate'

interface ConnectionChangeDialogProps {
  readonly connection: CardConnection
  readonly doing: ConnectionDoing
  readonly onDone: (connection: CardConnection) => void
  readonly onClose: () => void
}

interface Words {
  readonly verb: string
  readonly effect: string
  readonly change: CardConnectionChange
}

const WORDS: Readonly<Record<ConnectionDoing, Words>> = {
  disable: {
    verb: 'Disable',
    effect:
      'The gateway stops answering this issuer from now on. The issuer then decides by its own rule. You can enable it again.',
    change: { status: 'disabled' },
  },
  enable: {
    verb: 'Enable',
    effect: 'The gateway answers this issuer again from now on.',
    change: { status: 'active' },
  },
  rotate: {
    verb: 'Rotate the URLs of',
    effect:
      'Purser makes new URLs, which you register with the issuer. The old ones work for 24 more hours.',
    change: { rotateToken: true },
  },
}

/** Disables or enables a connection, or rotates its URLs. */
export function ConnectionChangeDialog(props: ConnectionChangeDialogProps) {
  const { connection, doing, onDone, onClose } = props
  const { verb, effect, change } = WORDS[doing]
  const label = `${verb} ${connection.name}`
  const save = useAction({
    run: (input: CardConnectionChange, options) =>
      purser.cardConnections.update(connection.id, input, options),
    sentence: label,
    touches: [['cards']],
    done: () => `${connection.name} is changed.`,
    onDone,
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`${label}?`}
      effect={effect}
      action={{
        label,
        tone: doing === 'disable' ? 'danger' : 'primary',
        onConfirm: async () => {
          if (!(await save.start(change))) throw new Error('The connection was not changed.')
        },
      }}
      aside={
        <CopyCurl
          request={{ method: 'PATCH', path: `/card-connections/${connection.id}`, body: change }}
        />
      }
      error={save.error ? errorSentence(save.error) : undefined}
    />
  )
}

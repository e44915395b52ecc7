import type { CardChange, Card as PaymentCard } from '@purser/sdk'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { errorSentence } from '../../words/errors.ts'
import { cardName } from './health-words.ts'

interface CardStatusDialogProps {
  readonly card: PaymentCard
  readonly doing: 'pause' | 'resume' | 'close'
  readonly onClose: () => void
}

const WORDS = {
  pause: {
    verb: 'Pause',
    status: 'paused',
    done: 'is paused',
    effect:
      'Purser declines its authorizations from now on. Purchases that have begun stay. You can resume it at any time. Purser does not inform the issuer.',
  },
  resume: {
    verb: 'Resume',
    status: 'active',
    done: 'is active again',
    effect: 'Purser judges its authorizations again from now on.',
  },
  close: {
    verb: 'Close',
    status: 'closed',
    done: 'is closed',
    effect:
      'Purser declines its authorizations from now on. Closed is for good. Purser does not inform the issuer, so close the card there too.',
  },
} as const

/** Pauses, resumes or closes a card, and shows the effect. */
export function CardStatusDialog({ card, doing, onClose }: CardStatusDialogProps) {
  const { verb, status, effect, done } = WORDS[doing]
  const [reason, setReason] = useState('')
  const name = cardName(card)
  const change: CardChange = { status, statusReason: reason.trim() || null }
  const save = useAction({
    run: (input: CardChange, options) => purser.cards.update(card.id, input, options),
    sentence: `${verb} the card ${name}`,
    touches: [['cards']],
    done: () => `${name} ${done}.`,
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`${verb} ${name}?`}
      effect={effect}
      affected={
        doing === 'resume' ? undefined : (
          <TextField label="Reason" note="optional" value={reason} onChange={setReason} />
        )
      }
      action={{
        label: `${verb} ${name}`,
        tone: doing === 'close' ? 'danger' : 'primary',
        onConfirm: async () => {
          if (!(await save.start(change))) throw new Error('The card was not changed.')
        },
      }}
      aside={<CopyCurl request={{ method: 'PATCH', path: `/cards/${card.id}`, body: change }} />}
      error={save.error ? errorSentence(save.error) : undefined}
    />
  )
}

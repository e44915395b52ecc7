import type { Agent, CardChange, CardConnection, CardInput, Card as PaymentCard } from '@purser/sdk'
import { useRef, useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { changesOf, isEmpty } from '../../page/changes.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { errorUnder, isAllUnder, useFirstWrongField } from '../../page/form-errors.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { cardName } from './health-words.ts'

export interface CardDraft {
  readonly connectionId: string
  readonly externalId: string
  readonly agentId: string
  readonly last4: string
  readonly currency: string
  readonly label: string
}

interface CardDialogProps {
  /** Undefined: a new one. */
  readonly card: PaymentCard | undefined
  readonly given: Partial<CardDraft>
  readonly agents: readonly Pick<Agent, 'id' | 'name'>[]
  readonly connections: readonly CardConnection[]
  readonly onClose: () => void
}

const FIELDS = ['/connectionId', '/externalId', '/agentId', '/last4', '/currency', '/label']

/** Gives a card to an agent, or changes that. */
export function CardDialog({ card, given, agents, connections, onClose }: CardDialogProps) {
  const [draft, setDraft] = useState<CardDraft>(() => ({
    ...{ connectionId: connections[0]?.id ?? '', externalId: '', agentId: '' },
    ...{ last4: '', currency: '', label: '' },
    ...(card ? { agentId: card.agentId, label: card.label ?? '' } : {}),
    ...given,
  }))
  const [tries, setTries] = useState(0)
  const area = useRef<HTMLDivElement>(null)
  const name = card ? cardName(card) : 'the card'
  const save = useAction({
    run: (input: CardDraft, options) =>
      card
        ? purser.cards.update(card.id, toCardChange(input, card), options)
        : purser.cards.create(toInput(input), options),
    sentence: card ? `Change ${name}` : 'Register a card',
    touches: [['cards']],
    done: (saved) => `${cardName(saved)} is ${card ? 'changed' : 'registered'}.`,
    onDone: onClose,
  })
  useFirstWrongField(area, save.error ?? tries)
  const set = (change: Partial<CardDraft>) => setDraft((before) => ({ ...before, ...change }))
  const missing = (text: string, sentence: string) =>
    tries > 0 && text.trim() === '' ? sentence : undefined
  const isComplete = draft.agentId !== '' && (card !== undefined || draft.externalId.trim() !== '')
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => {
        setTries(tries + 1)
        if (!isComplete) return
        // The gateway refuses a change without fields.
        if (card && isEmpty(toCardChange(draft, card))) onClose()
        else void save.start(draft)
      }}
      title={card ? `Change ${name}` : 'Register a card'}
      description="The mandate of its agent judges each authorization from now on. Purchases that have begun stay with the previous agent."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              request={
                card
                  ? { method: 'PATCH', path: `/cards/${card.id}`, body: toCardChange(draft, card) }
                  : { method: 'POST', path: '/cards', body: toInput(draft) }
              }
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={save.isBusy} type="submit" variant="primary">
            {card ? 'Save card' : 'Register card'}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5" ref={area}>
        {save.error && !isAllUnder(save.error, FIELDS) ? (
          <ErrorNotice title="The card was not saved." error={save.error} />
        ) : null}
        <Combobox
          label="Agent"
          required
          placeholder="Choose an agent"
          value={draft.agentId}
          options={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
          onChange={(agentId) => set({ agentId })}
          error={missing(draft.agentId, 'Choose an agent.') ?? errorUnder(save.error, '/agentId')}
        />
        <TextField
          label="Label"
          note="optional"
          placeholder="Hotels"
          value={draft.label}
          onChange={(label) => set({ label })}
          error={errorUnder(save.error, '/label')}
        />
        {card ? null : (
          <NewCardFields {...{ draft, set, connections, error: save.error }} missing={missing} />
        )}
      </div>
    </Dialog>
  )
}

interface NewCardFieldsProps {
  readonly draft: CardDraft
  readonly set: (change: Partial<CardDraft>) => void
  readonly connections: readonly CardConnection[]
  readonly error: Parameters<typeof errorUnder>[0]
  readonly missing: (text: string, sentence: string) => string | undefined
}

function NewCardFields({ draft, set, connections, error, missing }: NewCardFieldsProps) {
  return (
    <>
      <Select
        label="Connection"
        required
        value={draft.connectionId === '' ? null : draft.connectionId}
        options={connections.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(connectionId) => set({ connectionId })}
        error={errorUnder(error, '/connectionId')}
      />
      <TextField
        label="The issuer’s id of the card"
        required
        mono
        help="Never the card number."
        value={draft.externalId}
        onChange={(externalId) => set({ externalId })}
        error={missing(draft.externalId, 'Enter the id.') ?? errorUnder(error, '/externalId')}
        spellCheck={false}
      />
      <div className="grid gap-3.5 phone:grid-cols-2">
        <TextField
          label="Last four digits"
          note="optional"
          inputMode="numeric"
          maxLength={4}
          value={draft.last4}
          onChange={(last4) => set({ last4 })}
          error={errorUnder(error, '/last4')}
        />
        <TextField
          label="Currency"
          note="optional"
          maxLength={3}
          placeholder="USD"
          value={draft.currency}
          onChange={(currency) => set({ currency: currency.toUpperCase() })}
          error={errorUnder(error, '/currency')}
        />
      </div>
    </>
  )
}

function toInput({
  connectionId,
  externalId,
  agentId,
  last4,
  currency,
  label,
}: CardDraft): CardInput {
  return {
    ...{ connectionId, externalId: externalId.trim(), agentId },
    ...{ last4: last4 || null, currency: currency || null, label: label.trim() || null },
  }
}

function toCardChange({ agentId, label }: CardDraft, card: PaymentCard): CardChange {
  const before = { agentId: card.agentId, label: card.label }
  return changesOf({ agentId, label: label.trim() || null }, before)
}

import type { CardConnection } from '@purser/sdk'
import { useRef, useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { isEmpty } from '../../page/changes.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { errorUnder, isAllUnder, useFirstWrongField } from '../../page/form-errors.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ConnectionFields } from './connection-fields.tsx'
import {
  type ConnectionForm,
  toConnectionChange,
  toConnectionForm,
  toConnectionInput,
} from './connection-form.ts'
import { PROVIDERS } from './providers.ts'

interface ConnectionDialogProps {
  /** Undefined: a new one. */
  readonly connection: CardConnection | undefined
  readonly onSaved: (connection: CardConnection) => void
  readonly onClose: () => void
}

const FIELDS = [
  ...['/provider', '/name', '/failMode', '/failOpenMaxAmount', '/deadlineMs', '/secrets'],
]
const CHOICES = PROVIDERS.map(({ provider, title }) => ({ value: provider, label: title }))

/** Connects a card issuer, or changes how the gateway answers it. */
export function ConnectionDialog({ connection, onSaved, onClose }: ConnectionDialogProps) {
  const [form, setForm] = useState(() => toConnectionForm(connection))
  const [tries, setTries] = useState(0)
  const area = useRef<HTMLDivElement>(null)
  const save = useAction({
    run: (input: ConnectionForm, options) =>
      connection
        ? purser.cardConnections.update(
            connection.id,
            toConnectionChange(input, connection),
            options,
          )
        : purser.cardConnections.create(toConnectionInput(input), options),
    sentence: connection ? `Change ${connection.name}` : 'Connect a card issuer',
    touches: [['cards']],
    done: ({ name }) => `${name} is ${connection ? 'changed' : 'connected'}.`,
    onDone: onSaved,
  })
  useFirstWrongField(area, save.error ?? tries)
  const set = (change: Partial<ConnectionForm>) => setForm((before) => ({ ...before, ...change }))
  const nameMissing = tries > 0 && form.name.trim() === '' ? 'Enter a name.' : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => {
        setTries(tries + 1)
        if (form.name.trim() === '') return
        // The gateway refuses a change without fields.
        if (connection && isEmpty(toConnectionChange(form, connection))) onClose()
        else void save.start(form)
      }}
      title={connection ? `Change ${connection.name}` : 'Connect a card issuer'}
      description={
        connection
          ? 'The gateway answers the issuer by these terms from now on. Previous secrets work for 24 more hours.'
          : 'The issuer asks the gateway before each purchase. Register the URLs with the issuer, which Purser shows next.'
      }
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl request={requestOf(form, connection)} />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={save.isBusy} type="submit" variant="primary">
            {connection ? 'Save connection' : 'Connect issuer'}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5" ref={area}>
        {save.error && !isAllUnder(save.error, FIELDS) ? (
          <ErrorNotice title="The connection was not saved." error={save.error} />
        ) : null}
        {connection ? null : (
          <Select
            label="Issuer"
            value={form.provider}
            options={CHOICES}
            onChange={(provider) => set({ provider })}
            error={errorUnder(save.error, '/provider')}
          />
        )}
        <TextField
          label="Name"
          required
          value={form.name}
          onChange={(name) => set({ name })}
          error={nameMissing ?? errorUnder(save.error, '/name')}
        />
        <ConnectionFields {...{ form, set, error: save.error, secrets: connection?.secrets }} />
      </div>
    </Dialog>
  )
}

/** Secrets are left out: the text of a shell ends in its history. */
function requestOf(form: ConnectionForm, connection: CardConnection | undefined) {
  const hidden = (text: string) => (text === '' ? '' : '…')
  const told = {
    ...form,
    authorizationSecret: hidden(form.authorizationSecret),
    eventsSecret: hidden(form.eventsSecret),
  }
  if (!connection) {
    return { method: 'POST', path: '/card-connections', body: toConnectionInput(told) } as const
  }
  const path = `/card-connections/${connection.id}`
  return { method: 'PATCH', path, body: toConnectionChange(told, connection) } as const
}

import type { CreatedApiKey } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { useSearch } from '../../router/use-router.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldError } from '../../words/errors.ts'
import { SPEND_SCOPES } from './reach.ts'
import { ReachField } from './reach-field.tsx'
import { EXPIRIES, type KeyForm, missingIn, toKeyInput } from './terms.ts'

interface NewKeyProps {
  readonly onClose: () => void
  readonly onMade: (key: CreatedApiKey) => void
}

const OWNERS = [
  { value: 'agent', title: 'One agent', children: 'It spends within the agent’s mandate.' },
  { value: 'all', title: 'Every agent', children: 'For your own servers and tools.' },
] as const

/** The form for a new key. By default a key is for one agent, and spends. */
export function NewKey({ onClose, onMade }: NewKeyProps) {
  const { agent } = useSearch()
  const { data: agents } = useQuery(queries.agents())
  const [form, setForm] = useState<KeyForm>({
    ...{ name: '', owner: 'agent', agentId: agent ?? '' },
    ...{ reach: 'spends', scopes: SPEND_SCOPES, days: 'never' },
  })
  const [wasSent, setSent] = useState(false)
  // One time for the whole form: a repeated press after a lost answer must send the same request.
  const [opened] = useState(() => Date.now())
  const nameField = useRef<HTMLInputElement>(null)
  const create = useAction({
    run: (input: ReturnType<typeof toKeyInput>, options) => purser.apiKeys.create(input, options),
    sentence: (input) => `Create the API key ${input.name}.`,
    touches: [['apiKeys']],
    onDone: onMade,
  })
  const set = <Name extends keyof KeyForm>(name: Name, value: KeyForm[Name]) =>
    setForm((before) => ({ ...before, [name]: value }))
  const missing = wasSent ? missingIn(form) : {}
  function submit() {
    setSent(true)
    const first = Object.keys(missingIn(form))[0]
    if (first === 'name') nameField.current?.focus()
    if (first === undefined) void create.start(toKeyInput(form, opened))
  }
  return (
    <Dialog
      description="Purser shows the key once, when it is created."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              disabledReason={Object.values(missingIn(form))[0]}
              request={{ method: 'POST', path: '/api-keys', body: toKeyInput(form, opened) }}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={create.isBusy} type="submit" variant="primary">
            Create key
          </Button>
        </>
      }
      initialFocus={nameField}
      onClose={onClose}
      onSubmit={submit}
      open
      title="Create an API key"
    >
      <div className="grid gap-4">
        <TextField
          error={missing.name ?? fieldError(create.error, '/name')}
          help="The program and where it runs, so that you know later what stops if you revoke it."
          label="Name"
          maxLength={120}
          onChange={(name) => set('name', name)}
          placeholder="research-prod"
          ref={nameField}
          required
          spellCheck={false}
          value={form.name}
        />
        <RadioCards
          columns={2}
          label="For"
          onChange={(owner) =>
            setForm((before) => ({
              ...before,
              owner,
              reach: before.reach === 'everything' ? 'spends' : before.reach,
            }))
          }
          options={OWNERS}
          value={form.owner}
        />
        {form.owner === 'agent' ? (
          <Combobox
            emptyText="No agent has this name."
            error={missing.agentId ?? fieldError(create.error, '/agentIds/0')}
            label="Agent"
            onChange={(id) => set('agentId', id)}
            options={(agents?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            placeholder="Choose an agent"
            required
            value={form.agentId}
          />
        ) : null}
        <ReachField
          error={missing.scopes ?? fieldError(create.error, '/scopes')}
          isBound={form.owner === 'agent'}
          onReach={(reach) => set('reach', reach)}
          onScopes={(scopes) => set('scopes', scopes)}
          reach={form.reach}
          scopes={form.scopes}
        />
        <Select
          error={fieldError(create.error, '/expiresAt')}
          label="Expires"
          onChange={(days) => set('days', days)}
          options={EXPIRIES}
          value={form.days}
        />
        {create.error && create.error.errors.length === 0 ? (
          <ErrorNotice error={create.error} title="The key was not created." />
        ) : null}
      </div>
    </Dialog>
  )
}

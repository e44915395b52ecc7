import type { Agent, CreatedApiKey } from '@purser/sdk'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldError } from '../../words/errors.ts'
import { KEY_SCOPES } from './key-scopes.ts'

interface KeyStepProps {
  readonly agent: Agent | undefined
  readonly onCreated: (key: CreatedApiKey) => void
}

/** Makes the key that the program sends. */
export function KeyStep({ agent, onCreated }: KeyStepProps) {
  const may = useMay('keys:write')
  const [name, setName] = useState('dev')
  const body = {
    ...{ name: name.trim(), scopes: KEY_SCOPES },
    ...(agent ? { agentIds: [agent.id] } : {}),
  }
  const create = useAction({
    run: (input: typeof body, options) => purser.apiKeys.create(input, options),
    sentence: `Create the API key ${name}.`,
    touches: [['apiKeys']],
    onDone: onCreated,
  })
  return (
    <Card aria-label="A key for your program">
      <CardHeader title="A key for your program" />
      <CardBody>
        <form
          className="grid max-w-105 gap-3.5"
          onSubmit={(event) => {
            event.preventDefault()
            void create.start(body)
          }}
        >
          <p className="text-ink-2">
            Your program sends this key with every request. It can spend and read, and it cannot
            change mandates. You see it once.
          </p>
          <TextField
            error={fieldError(create.error, '/name')}
            help={agent ? `For ${agent.name} alone.` : 'For every agent that you register.'}
            label="Name"
            onChange={setName}
            required
            value={name}
          />
          {fieldError(create.error, '/name') === undefined ? (
            <ErrorNotice error={create.error} title="The key was not created." />
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button
              busy={create.isBusy}
              disabledReason={may.reason}
              type="submit"
              variant="primary"
            >
              Create key
            </Button>
            <CopyCurl request={{ method: 'POST', path: '/api-keys', body }} />
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

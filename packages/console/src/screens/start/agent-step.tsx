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

/** Registers the program that spends. */
export function AgentStep() {
  const may = useMay('agents:write')
  const [name, setName] = useState('Research agent')
  const create = useAction({
    run: (input: { name: string }, options) => purser.agents.create(input, options),
    sentence: `Register ${name}.`,
    touches: [['agents']],
  })
  const nameError = fieldError(create.error, '/name')
  return (
    <Card aria-label="An agent">
      <CardHeader title="An agent" />
      <CardBody>
        <form
          className="grid max-w-105 gap-3.5"
          onSubmit={(event) => {
            event.preventDefault()
            void create.start({ name: name.trim() })
          }}
        >
          <TextField
            error={nameError}
            help="An agent is a program of yours that spends."
            label="What is the program called?"
            onChange={setName}
            required
            value={name}
          />
          {nameError === undefined ? (
            <ErrorNotice error={create.error} title="The agent was not registered." />
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button
              busy={create.isBusy}
              disabledReason={may.reason}
              type="submit"
              variant="primary"
            >
              Register agent
            </Button>
            <CopyCurl request={{ method: 'POST', path: '/agents', body: { name: name.trim() } }} />
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

import type { Agent, PurserError } from '@purser/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { GitCompare } from 'lucide-react'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fieldError } from '../../words/errors.ts'
import { type AgentForm, readForm, toForm } from './agent-form.ts'

interface AgentDialogProps {
  /** The agent to change; without it, a new one is registered. */
  readonly agent?: Agent
  readonly onClose: () => void
  readonly onSaved: (agent: Agent) => void
}

/** Registers an agent, or changes its name, external id, tags and description. */
export function AgentDialog({ agent: newest, onClose, onSaved }: AgentDialogProps) {
  // The agent as it was when the form was made. A later state would hide the change of another person.
  const [agent, setAgent] = useState(newest)
  const [form, setForm] = useState(() => toForm(agent))
  const [isMissing, setMissing] = useState(false)
  const input = readForm(form)
  const client = useQueryClient()
  const save = useAction({
    run: (_: typeof input, options) =>
      agent
        ? purser.agents.update(agent.id, { ...input, expectedUpdatedAt: agent.updatedAt }, options)
        : purser.agents.create(input, options),
    sentence: agent ? `Save ${agent.name}.` : 'Register an agent.',
    touches: [['agents'], ['auditLog']],
    done: (saved) => (agent ? `${saved.name} is saved.` : `${saved.name} is registered.`),
    onDone: onSaved,
  })
  const { error } = save
  /** After a conflict: the next save is based on the newest state. */
  function goOn(next: AgentForm) {
    setAgent(newest)
    setForm(next)
    save.reset()
  }
  async function send() {
    // After a conflict the newest state is needed to go on from it.
    if (!(await save.start(input))) await client.invalidateQueries({ queryKey: ['agents', 'one'] })
  }
  function submit() {
    setMissing(input.name === '')
    if (input.name !== '') void send()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={submit}
      title={agent ? `Edit ${agent.name}` : 'Register an agent'}
      description={
        agent
          ? undefined
          : 'An agent is a program of yours that spends. It can spend once a mandate is active.'
      }
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              request={{
                method: agent ? 'PATCH' : 'POST',
                path: agent ? `/agents/${agent.id}` : '/agents',
                body: input,
              }}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={save.isBusy} type="submit" variant="primary">
            {agent ? 'Save the agent' : 'Register the agent'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SaveProblem error={error} onKeep={() => goOn(form)} onTake={() => goOn(toForm(newest))} />
        <Fields
          form={form}
          setForm={setForm}
          error={error}
          isMissing={isMissing && input.name === ''}
        />
      </div>
    </Dialog>
  )
}

interface FieldsProps {
  readonly form: AgentForm
  readonly setForm: (form: AgentForm) => void
  readonly error: PurserError | null
  readonly isMissing: boolean
}

function Fields({ form, setForm, error, isMissing }: FieldsProps) {
  const set = (name: keyof AgentForm) => (value: string) => setForm({ ...form, [name]: value })
  return (
    <>
      <TextField
        error={isMissing ? 'Enter a name.' : fieldError(error, '/name')}
        label="Name"
        maxLength={120}
        onChange={set('name')}
        placeholder="Research agent"
        required
        value={form.name}
      />
      <TextField
        error={
          error?.code === 'external_id_taken'
            ? 'Another agent has this id.'
            : fieldError(error, '/externalId')
        }
        help="The agent’s id in your own systems."
        label="Your id"
        mono
        note="optional"
        onChange={set('externalId')}
        value={form.externalId}
      />
      <TextField
        error={fieldError(error, '/tags')}
        help="Separated by commas. The list of agents can filter by them."
        label="Tags"
        note="optional"
        onChange={set('tags')}
        placeholder="team:ops, travel"
        value={form.tags}
      />
      <TextArea
        error={fieldError(error, '/description')}
        label="Description"
        maxLength={1_000}
        note="optional"
        onChange={set('description')}
        rows={2}
        value={form.description}
      />
    </>
  )
}

interface ConflictProps {
  readonly error: PurserError
  readonly onKeep: () => void
  readonly onTake: () => void
}

/** Another person saved first. Nothing is overwritten without a choice. */
function Conflict({ error, onKeep, onTake }: ConflictProps) {
  return (
    <Notice
      action={
        <>
          <Button onClick={onKeep} size="sm">
            Keep yours
          </Button>
          <Button onClick={onTake} size="sm">
            Start from theirs
          </Button>
        </>
      }
      icon={<GitCompare aria-hidden size={16} strokeWidth={1.5} />}
      role="alert"
      title="Someone else changed this agent while you were editing."
      tone="ask"
    >
      {error.detail}
    </Notice>
  )
}

const KNOWN = /^\/(name|externalId|tags|description)/

interface SaveProblemProps extends Omit<ConflictProps, 'error'> {
  readonly error: PurserError | null
}

/** An error that no field explains. */
function SaveProblem({ error, ...conflict }: SaveProblemProps) {
  if (!error || error.code === 'external_id_taken') return null
  if (error.code === 'changed_meanwhile') return <Conflict error={error} {...conflict} />
  if (error.errors.some(({ path }) => KNOWN.test(path))) return null
  const isFull = error.code === 'plan_limit_exceeded'
  return (
    <ErrorNotice
      title={
        isFull
          ? 'Your plan has no room for another agent. Delete one, or change the plan.'
          : 'The agent was not saved.'
      }
      error={error}
    />
  )
}

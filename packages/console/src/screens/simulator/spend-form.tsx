import type { PurserError } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import type { FormEvent } from 'react'
import { queries } from '../../data/queries.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Empty } from '../../ui/empty.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { Select } from '../../ui/select.tsx'
import { fieldError } from '../../words/errors.ts'
import { PATH_WORDS } from '../../words/words.ts'
import { PATHS, type SpendFields } from './spend.ts'
import { TimeField } from './time-field.tsx'
import { useChoices } from './use-choices.ts'

interface SpendFormProps {
  readonly fields: SpendFields
  readonly change: (change: Partial<SpendFields>, isTyping?: boolean) => void
  readonly currency: string
  readonly error: PurserError | null
  readonly isBusy: boolean
  /** Judges the spend now, also if nothing has changed. */
  readonly onJudge: () => void
}

/** The spend to try. The answer follows while the person types; Enter judges at once. */
export function SpendForm({ fields, change, currency, error, isBusy, onJudge }: SpendFormProps) {
  const { data: agents } = useQuery(queries.agents({ include: 'mandate' }))
  const choices = useChoices(fields.agent)
  if (agents?.data.length === 0) {
    return (
      <Empty
        title="No agents yet."
        action={<Button render={<Link to="/agents" search={{ new: '1' }} />}>Register one</Button>}
      >
        An agent is a program of yours that spends. A simulation needs one.
      </Empty>
    )
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    onJudge()
  }
  return (
    <form className="grid gap-4" onSubmit={submit} aria-label="Spend to try">
      <Combobox
        label="Agent"
        placeholder="Choose an agent"
        value={fields.agent}
        onChange={(agent) => change({ agent })}
        options={(agents?.data ?? []).map(({ id, name, mandate, status }) => ({
          ...{ value: id, label: name },
          hint: status === 'paused' ? 'Paused' : (mandate?.name ?? 'No active mandate'),
        }))}
        error={fieldError(error, '/agentId')}
      />
      <MoneyField
        label="Amount"
        currency={currency}
        value={fields.amount}
        onChange={(amount) => change({ amount }, true)}
        error={fieldError(error, '/amount')}
      />
      <Combobox
        label="Vendor"
        freeText
        placeholder="api.openai.com"
        value={fields.vendor}
        onChange={(vendor) => change({ vendor }, true)}
        options={choices.vendors}
        error={fieldError(error, '/vendor')}
        help="A host name, or a URL."
      />
      <Combobox
        label="Category"
        freeText
        placeholder="llm"
        value={fields.category}
        onChange={(category) => change({ category }, true)}
        options={choices.categories}
        error={fieldError(error, '/category')}
      />
      <Select
        label="Payment path"
        value={fields.path}
        onChange={(path) => change({ path })}
        options={PATHS.map((path) => ({ value: path, label: PATH_WORDS[path] }))}
        error={fieldError(error, '/path')}
      />
      <TimeField
        at={fields.at}
        onChange={(at) => change({ at }, true)}
        error={fieldError(error, '/at')}
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          icon={<FlaskConical size={14} aria-hidden />}
        >
          Simulate
        </Button>
      </div>
    </form>
  )
}

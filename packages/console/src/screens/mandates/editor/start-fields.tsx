import type { Agent } from '@purser/sdk'
import { Link } from '../../../router/link.tsx'
import { useNavigate } from '../../../router/use-router.ts'
import { Combobox } from '../../../ui/combobox.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { TEMPLATES, type TemplateId, templateLine } from '../../../words/templates.ts'

interface StartFieldsProps {
  readonly agents: readonly Agent[]
  readonly agentId: string
  readonly onAgent: (agentId: string) => void
  readonly template: TemplateId | undefined
  readonly currency: string
  /** Whether an empty field is shown as wrong. */
  readonly isAttempted: boolean
}

/** For which agent, and from which template. Both are in the address. */
export function StartFields(props: StartFieldsProps) {
  const { agents, agentId, onAgent, template, currency, isAttempted } = props
  const navigate = useNavigate()
  const go = (change: { readonly agent?: string; readonly template?: string }) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...change }), replace: true })
  if (agents.length === 0) {
    return (
      <Notice className="mb-5" tone="ask">
        A mandate belongs to an agent, and there is none yet.{' '}
        <Link search={{ new: '1' }} to="/agents">
          Register an agent
        </Link>
      </Notice>
    )
  }
  return (
    <section aria-labelledby="start-heading" className="mb-5.5">
      <h2 className="mb-2.5 text-read font-strong" id="start-heading">
        Start
      </h2>
      <div className="mb-3 max-w-90">
        <Combobox
          error={isAttempted && agentId === '' ? 'Choose an agent.' : undefined}
          help={agentId === '' ? 'The mandate applies to this agent alone.' : undefined}
          label="Agent"
          onChange={(agent) => {
            onAgent(agent)
            go({ agent })
          }}
          options={agents.map(({ id, name }) => ({ value: id, label: name }))}
          placeholder="Choose an agent"
          required
          value={agentId}
        />
      </div>
      <RadioCards
        columns={2}
        label="Template"
        onChange={(next) => go({ template: next })}
        options={TEMPLATES.map((one) => ({
          ...{ value: one.id, title: one.name, children: templateLine(one, currency) },
        }))}
        value={template ?? null}
      />
    </section>
  )
}

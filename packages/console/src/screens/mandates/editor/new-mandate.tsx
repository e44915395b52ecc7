import type { Agent, Organization } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { Link } from '../../../router/link.tsx'
import { Navigate, useSearch } from '../../../router/use-router.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type MandateTemplate, templateOf } from '../../../words/templates.ts'
import { EditorScreen } from './editor-screen.tsx'
import { levelsField } from './form/levels.ts'
import { type MandateForm, withTemplate } from './form/mandate-form.ts'

const StartFields = lazy(() =>
  import('./start-fields.tsx').then((it) => ({ default: it.StartFields })),
)

/** `/mandates/new`: an agent, a template, and then the editor. */
export function NewMandate() {
  const search = useSearch()
  const organization = useQuery(queries.organization())
  const agents = useQuery(queries.agents())
  const isFrom = search['from'] !== undefined
  const from = useQuery({ ...queries.transaction(search['from'] ?? ''), enabled: isFrom })
  const error = asPurserError(organization.error ?? agents.error)
  if (from.data?.mandateId) {
    const params = { id: from.data.mandateId }
    return <Navigate params={params} replace search={search} to="/mandates/$id/edit" />
  }
  const agent = search['agent'] ?? from.data?.agentId ?? onlyAgent(agents.data?.data)
  const template = templateOf(search['template'])
  if (!organization.data || !agents.data || (isFrom && from.isPending)) {
    return (
      <>
        <PageHeader
          crumbs={[{ label: 'Mandates', render: <Link to="/mandates" /> }]}
          title="New mandate"
        />
        <div className="p-6">
          {error ? (
            <ErrorNotice
              error={error}
              onRetry={() => void Promise.all([organization.refetch(), agents.refetch()])}
              title="The page could not be loaded."
            />
          ) : (
            <Skeleton height={520} shape="block" />
          )}
        </div>
      </>
    )
  }
  return (
    <Started
      agentId={agent ?? ''}
      agents={agents.data.data}
      // A different template is a different form. A different agent is a field of the same one.
      key={template?.id ?? ''}
      organization={organization.data}
      template={template}
    />
  )
}

/** With one agent there is nothing to choose. */
function onlyAgent(agents: readonly Agent[] | undefined): string | undefined {
  return agents?.length === 1 ? agents[0]?.id : undefined
}

interface StartedProps {
  readonly agentId: string
  readonly agents: readonly Agent[]
  readonly organization: Organization
  readonly template: MandateTemplate | undefined
}

function Started({ agentId, agents, organization, template }: StartedProps) {
  const [source] = useState(() => ({ kind: 'new' as const, key: template?.id ?? '' }))
  const nameOf = (id: string) => agents.find((one) => one.id === id)?.name
  const [empty] = useState(() => emptyForm(organization, agentId, nameOf(agentId), template))
  return (
    <EditorScreen empty={empty} source={source}>
      {({ form, set, isAttempted }) => (
        <Suspense fallback={<Skeleton height={300} shape="block" />}>
          <StartFields
            agents={agents}
            agentId={form.agentId}
            currency={form.currency}
            isAttempted={isAttempted}
            onAgent={(next) => {
              // A name that no person has typed follows the agent.
              const isOwn = form.name !== mandateName(nameOf(form.agentId), template)
              set({
                agentId: next,
                ...(isOwn ? {} : { name: mandateName(nameOf(next), template) }),
              })
            }}
            template={template?.id}
          />
        </Suspense>
      )}
    </EditorScreen>
  )
}

/** A template names its purpose, such as "Travel mandate", which an agent's name would hide. */
function mandateName(agentName: string | undefined, template: MandateTemplate | undefined): string {
  if (template && template.rules.length > 0) return `${template.name} mandate`
  return agentName === undefined ? 'Mandate' : `${agentName} mandate`.slice(0, 120)
}

function emptyForm(
  { currency, timezone }: Organization,
  agentId: string,
  agentName: string | undefined,
  template: MandateTemplate | undefined,
): MandateForm {
  const form: MandateForm = {
    ...{ agentId, currency, timezone, budgetTotal: '', budgetPeriod: 'monthly' },
    ...{ validFrom: null, validUntil: null, discloseLimits: false, rules: [] },
    warningPercents: levelsField(undefined),
    name: mandateName(agentName, template),
  }
  return template ? withTemplate(form, template) : form
}

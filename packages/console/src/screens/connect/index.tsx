import type { Agent } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { useTitle } from '../../page/use-title.ts'
import { Link } from '../../router/link.tsx'
import { Navigate, useNavigate, useParams, useSearch } from '../../router/use-router.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ConnectBlock } from './block.tsx'
import type { ExampleSpend } from './block-shape.ts'
import { blocksOf, TABS, type Tab } from './blocks.ts'
import { exampleAgent, exampleSpend } from './example-spend.ts'
import { NoAgent } from './no-agent.tsx'

const LABELS: Readonly<Record<Tab, string>> = {
  ...{ curl: 'curl', sdk: 'SDK', cli: 'CLI', mcp: 'MCP' },
}
/** Stands in the snippets until an agent exists. */
const NO_AGENT = '<agent id>'

/** Code to copy and run as it is. Each block says when its call has arrived. */
export function Connect() {
  useTitle('Connect')
  const { tab: asked } = useParams()
  const { agent: chosen } = useSearch<{ readonly agent?: string }>()
  const navigate = useNavigate()
  const { data: organization } = useQuery(queries.organization())
  const { data: agents } = useQuery(queries.agents({ include: 'mandate' }))
  const list = agents?.data ?? []
  const agent = list.find(({ id }) => id === chosen) ?? exampleAgent(list)
  const spend = useExampleSpend(agent)
  const tab = TABS.find((one) => one === asked)
  if (!tab) return <Navigate to="/connect/{-$tab}" params={{ tab: 'curl' }} search replace />

  const target = {
    url: (organization?.publicUrl ?? location.origin).replace(/\/$/, ''),
    agentId: agent?.id ?? NO_AGENT,
    spend,
  }
  return (
    <>
      <PageHeader title="Connect" after="Call the gateway from your programs.">
        <MakeKey agentId={agent?.id} />
      </PageHeader>
      <div className="px-4 tablet:px-6">
        <Tabs
          label="Ways to connect"
          value={tab}
          items={TABS.map((value) => ({
            ...{ value, label: LABELS[value] },
            render: <Link to="/connect/{-$tab}" params={{ tab: value }} search />,
          }))}
        />
      </div>
      <div className="grid max-w-220 gap-6 p-4 tablet:p-6">
        {agents && list.length === 0 ? <NoAgent /> : null}
        {list.length > 0 && tab !== 'cli' ? (
          <div className="max-w-90">
            <Select
              label="Agent"
              value={agent?.id ?? null}
              onChange={(id) => void navigate({ to: '.', search: { agent: id } as never })}
              options={list.map(({ id, name, mandate }) => ({
                ...{ value: id, label: name },
                hint: mandate?.name ?? 'No active mandate: its spends are rejected',
              }))}
              help={
                tab === 'mcp'
                  ? 'The API key must be bound to this agent.'
                  : 'The snippets carry its id, and a spend that its mandate should approve.'
              }
            />
          </div>
        ) : null}
        <ol className="grid gap-7">
          {blocksOf(tab, target).map((block, index) => (
            <li key={`${tab}-${block.id}`} className="min-w-0">
              <ConnectBlock block={block} number={index + 1} />
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}

function useExampleSpend(agent: Agent | undefined): ExampleSpend {
  const mandate = agent?.mandate
  const { data: paid } = useQuery({
    ...queries.paidSpend(agent?.id ?? '', mandate?.id ?? ''),
    enabled: Boolean(mandate),
  })
  return exampleSpend(mandate, paid)
}

function MakeKey({ agentId }: { readonly agentId: string | undefined }) {
  const may = useMay('keys:write')
  const icon = <KeyRound size={14} aria-hidden />
  if (!may.isAllowed) {
    return (
      <Button icon={icon} disabledReason={may.reason}>
        Create an API key
      </Button>
    )
  }
  const search = (agentId === undefined ? {} : { agent: agentId }) as never
  return (
    <Button icon={icon} render={<Link to="/keys/new" search={search} />}>
      Create an API key
    </Button>
  )
}

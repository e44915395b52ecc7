import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { useTitle } from '../../page/use-title.ts'
import { curlOf } from '../../parts/curl.ts'
import { Link } from '../../router/link.tsx'
import { useNavigate, useSearch } from '../../router/use-router.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { formatCount } from '../../words/money.ts'
import { AgentFilters } from './agent-filters.tsx'
import { AgentList } from './agent-list.tsx'
import { type AgentSearch, isFiltered, toQuery } from './agent-search.ts'

const AgentDialog = lazy(async () => ({
  default: (await import('./agent-dialog.tsx')).AgentDialog,
}))

const REGISTER = { method: 'POST', path: '/agents', body: { name: 'Research agent' } } as const

/** All agents: how much of the budget each has used, and whether it may go on. */
export function Agents() {
  useTitle('Agents')
  const { new: isNew, ...search } = useSearch()
  const navigate = useNavigate()
  const list = useQuery({ ...queries.agents(toQuery(search)), placeholderData: keepPreviousData })
  const { data } = list
  return (
    <>
      <PageHeader
        title="Agents"
        after={data ? `${formatCount(data.total)}${data.totalIsExact ? '' : '+'}` : undefined}
      >
        <Register search={search} />
      </PageHeader>
      {data?.total === 0 && !isFiltered(search) ? (
        <Empty
          title="No agents yet."
          action={<Register search={search} />}
          command={curlOf(REGISTER)}
        >
          An agent is a program of yours that spends.
        </Empty>
      ) : (
        <>
          <AgentFilters search={search} agents={data?.data ?? []} />
          <AgentList list={list} search={search} />
        </>
      )}
      {isNew === undefined ? null : (
        <Suspense>
          <AgentDialog
            onClose={() => void navigate({ to: '/agents', search })}
            onSaved={({ id }) => void navigate({ to: '/agents/$id', params: { id } })}
          />
        </Suspense>
      )}
    </>
  )
}

/** The dialog is a part of the address, so that a link can open it. */
function Register({ search }: { readonly search: AgentSearch }) {
  const may = useMay('agents:write')
  return (
    <Button
      disabledReason={may.reason}
      icon={<Plus aria-hidden size={16} />}
      render={may.isAllowed ? <Link to="/agents" search={{ ...search, new: '1' }} /> : undefined}
      variant="primary"
    >
      Register an agent
    </Button>
  )
}

import type { Agent } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { isNotFound } from '../../data/query-client.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { useParams } from '../../router/use-router.ts'
import { Empty } from '../../ui/empty.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { initialsOf } from '../../words/text.ts'
import { AboutCard } from './about-card.tsx'
import { AgentActions } from './agent-actions.tsx'
import { AgentBadge } from './agent-badge.tsx'
import { AgentCards } from './agent-cards.tsx'
import { AgentKeys } from './agent-keys.tsx'
import { BudgetHero } from './budget-hero.tsx'
import { HeatCard } from './heat-card.tsx'
import { LastDecisions } from './last-decisions.tsx'
import { MandateCard } from './mandate-card.tsx'

/** One agent: how it is doing, and whether it may go on. */
export function AgentPage() {
  const { id = '' } = useParams()
  const { data: agent, error, refetch } = useQuery(queries.agent(id))
  useTitle(agent ? `${agent.name}${agent.status === 'paused' ? ' (paused)' : ''}` : 'Agent')
  if (agent) return <Page agent={agent} />
  return (
    <>
      <PageHeader title="Agent" crumbs={CRUMBS} />
      {isNotFound(error) ? (
        <Empty title="There is no such agent." action={<Link to="/agents">See all agents</Link>}>
          It may have been deleted, or it belongs to a different organization.
        </Empty>
      ) : (
        <div className="p-4 tablet:p-6">
          {error ? (
            <ErrorNotice
              title="The agent could not be loaded."
              error={asPurserError(error)}
              onRetry={() => void refetch()}
            />
          ) : (
            <Skeleton height={208} shape="block" />
          )}
        </div>
      )}
    </>
  )
}

const CRUMBS = [{ label: 'Agents', render: <Link to="/agents" /> }]

function Page({ agent }: { readonly agent: Agent }) {
  const { id, name, status, tags, lastSeenAt, mandate = null } = agent
  return (
    <>
      <PageHeader
        crumbs={CRUMBS}
        title={
          <span className="flex min-w-0 items-center gap-2">
            <span
              aria-hidden
              className="grid size-6 flex-none place-items-center rounded-1 bg-accent-soft text-[0.625rem] font-strong tracking-normal text-accent shadow-[inset_0_0_0_1px_var(--accent-line)]"
            >
              {initialsOf(name)}
            </span>
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
          </span>
        }
        after={
          <>
            <AgentBadge status={status} />
            {tags.map((tag) => (
              <Link key={tag} to="/agents" search={{ tag }} className="hover:no-underline">
                <Tag>{tag}</Tag>
              </Link>
            ))}
          </>
        }
      >
        <span className="text-small text-ink-3 max-laptop:hidden">
          {lastSeenAt === null ? (
            'never seen'
          ) : (
            <>
              last seen <When at={lastSeenAt} ago />
            </>
          )}
        </span>
        <AgentActions agent={agent} />
      </PageHeader>
      <div className="grid gap-4 p-4 tablet:p-6 desk:grid-cols-[minmax(0,1.72fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <BudgetHero agent={agent} mandate={mandate} />
          <HeatCard agentId={id} />
          <LastDecisions agentId={id} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <MandateCard agentId={id} mandate={mandate} />
          <AgentKeys agentId={id} />
          <AgentCards agentId={id} />
          <AboutCard agent={agent} />
        </div>
      </div>
    </>
  )
}

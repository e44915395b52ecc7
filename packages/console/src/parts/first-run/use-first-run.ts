import type { ApiKey } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { asPurserError } from '../../data/use-action.ts'
import { firstRunSteps } from './steps.ts'

export type FirstRun = NonNullable<ReturnType<typeof useFirstRun>['run']>

/**
 * The state of the first run, and the steps that follow from it. Undefined while it loads, and if a
 * list fails: the page must not offer a step because nothing is known about it.
 */
export function useFirstRun() {
  const mayReadKeys = useMay('keys:read').isAllowed
  const { data: organization, ...asked } = useQuery(queries.organization())
  const keys = useQuery({ ...queries.apiKeys(), enabled: mayReadKeys })
  const agents = useQuery(queries.agents({ include: 'mandate' }))
  const drafts = useQuery(queries.mandates({ status: 'draft', limit: 1 }))
  const spends = useQuery(queries.latestTransactions())
  // Only owners and admins list members, and they are the members who read keys.
  const people = useQuery({ ...queries.peopleCount(), enabled: mayReadKeys })
  const lists = [agents, drafts, spends, ...(mayReadKeys ? [keys] : [])]
  const failed = [asked, ...lists].filter((query) => query.isLoadingError)
  const state = {
    error: asPurserError(failed[0]?.error),
    retry: () => {
      for (const query of failed) void query.refetch()
    },
  }
  if (!organization || lists.some((query) => query.data === undefined)) {
    return { run: undefined, ...state }
  }

  const agent = agents.data?.data.find((one) => one.mandate) ?? agents.data?.data[0]
  const mandate = agent?.mandate ?? null
  const draft = drafts.data?.data.find(({ draftOf }) => draftOf === null)
  const key = keys.data?.data.find(isForProgram)
  const hasSpend = (spends.data?.total ?? 0) > 0
  const steps = firstRunSteps({
    ...{ organization, mandate, hasSpend, hasDraft: draft !== undefined },
    // A member who may not read keys does not have to make one.
    key: mayReadKeys ? (key?.name ?? null) : 'For owners and admins',
    agent: agent?.name ?? null,
    hasWebhook: organization.webhookUrl !== null,
    people: people.data ?? null,
  })
  return { run: { organization, key, agent, mandate, draft, hasSpend, steps }, ...state }
}

/**
 * The gateway makes a first key by itself, for a terminal. It counts once a program has used it;
 * a key that a person has made counts at once.
 */
function isForProgram({ createdBy, lastUsedAt }: ApiKey): boolean {
  return lastUsedAt !== null || createdBy?.startsWith('mem_') === true
}

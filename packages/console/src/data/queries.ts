import type {
  GetSpendAnalyticsQuery,
  ListAgentsQuery,
  ListApiKeysQuery,
  ListApprovalsQuery,
  ListAuditLogQuery,
  ListDeliveriesQuery,
  ListMandatesQuery,
  ListTransactionsQuery,
  Mandate,
  SimulationInput,
} from '@purser/sdk'
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  skipToken,
} from '@tanstack/react-query'
import { purser } from './client.ts'
import { callConsole } from './console-api.ts'

/**
 * The queries of the screens. The first element of a key names the resource, so that an event can
 * mark everything about it as changed.
 */
export const queries = {
  state: () =>
    queryOptions({
      queryKey: ['state'],
      queryFn: ({ signal }) => callConsole('getConsoleState', { signal }),
      meta: { mayBeSignedOut: true },
    }),
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: ({ signal }) => callConsole('getMe', { signal }),
      staleTime: 60_000,
      meta: { mayBeSignedOut: true },
    }),
  organization: () =>
    queryOptions({
      queryKey: ['organization'],
      queryFn: ({ signal }) => purser.organization.get({ signal }),
      staleTime: 30_000,
    }),
  usage: () =>
    queryOptions({
      queryKey: ['organization', 'usage'],
      queryFn: ({ signal }) => purser.organization.usage({ signal }),
    }),
  agents: (query: ListAgentsQuery = {}) =>
    queryOptions({
      queryKey: ['agents', 'list', query],
      queryFn: ({ signal }) => purser.agents.list({ limit: 200, ...query }, { signal }).page(),
    }),
  agent: (id: string) =>
    queryOptions({
      queryKey: ['agents', 'one', id],
      queryFn: ({ signal }) => purser.agents.get(id, { include: 'mandate' }, { signal }),
    }),
  mandates: (query: ListMandatesQuery = {}) =>
    queryOptions({
      queryKey: ['mandates', 'list', query],
      queryFn: ({ signal }) => purser.mandates.list({ limit: 200, ...query }, { signal }).page(),
    }),
  mandatePages: (query: ListMandatesQuery = {}) =>
    infiniteQueryOptions({
      queryKey: ['mandates', 'pages', query],
      queryFn: ({ signal, pageParam }) =>
        purser.mandates
          .list({ limit: 100, ...query, ...(pageParam ? { cursor: pageParam } : {}) }, { signal })
          .page(),
      initialPageParam: '',
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  mandate: (id: string) =>
    queryOptions({
      queryKey: ['mandates', 'one', id],
      queryFn: ({ signal }) => purser.mandates.get(id, { signal }),
    }),
  mandateVersions: (id: string) =>
    queryOptions({
      queryKey: ['mandates', 'one', id, 'versions'],
      queryFn: ({ signal }) => purser.mandates.versions(id, { limit: 200 }, { signal }).page(),
    }),
  transaction: (id: string) =>
    queryOptions({
      queryKey: ['transactions', 'one', id],
      queryFn: ({ signal }) => purser.transactions.get(id, { signal }),
    }),
  approvals: (query: ListApprovalsQuery = {}) =>
    queryOptions({
      queryKey: ['approvals', 'list', query],
      queryFn: ({ signal }) => purser.approvals.list({ limit: 50, ...query }, { signal }).page(),
    }),
  approval: (id: string) =>
    queryOptions({
      queryKey: ['approvals', 'one', id],
      queryFn: ({ signal }) => purser.approvals.get(id, {}, { signal }),
    }),
  apiKeys: (query: ListApiKeysQuery = {}) =>
    queryOptions({
      queryKey: ['apiKeys', 'list', query],
      queryFn: ({ signal }) => purser.apiKeys.list({ limit: 200, ...query }, { signal }).page(),
    }),
  vendors: () =>
    queryOptions({
      queryKey: ['vendors', 'list'],
      queryFn: ({ signal }) => purser.vendors.list({ limit: 200 }, { signal }).page(),
    }),
  wallets: () =>
    queryOptions({
      queryKey: ['wallets', 'list'],
      queryFn: ({ signal }) => purser.wallets.list({}, { signal }).page(),
    }),
  cards: () =>
    queryOptions({
      queryKey: ['cards', 'list'],
      queryFn: ({ signal }) => purser.cards.list({ limit: 200 }, { signal }).page(),
    }),
  cardConnections: () =>
    queryOptions({
      queryKey: ['cards', 'connections'],
      queryFn: ({ signal }) => purser.cardConnections.list({}, { signal }).page(),
    }),
  deliveries: (query: ListDeliveriesQuery = {}) =>
    queryOptions({
      queryKey: ['deliveries', 'list', query],
      queryFn: ({ signal }) =>
        purser.webhooks.deliveries.list({ limit: 50, ...query }, { signal }).page(),
    }),
  delivery: (id: string) =>
    queryOptions({
      queryKey: ['deliveries', 'one', id],
      queryFn: ({ signal }) => purser.webhooks.deliveries.get(id, { signal }),
    }),
  analytics: (query: GetSpendAnalyticsQuery) =>
    queryOptions({
      queryKey: ['analytics', query],
      queryFn: ({ signal }) => purser.analytics.spend(query, { signal }),
      staleTime: 30_000,
    }),
  /** All active mandates with their budgets, at most 1,000, the fullest first. */
  activeMandates: () =>
    queryOptions({
      queryKey: ['mandates', 'active'],
      queryFn: async ({ signal }) => {
        const query = { status: 'active', sort: 'percentUsed', limit: 200 } as const
        const mandates: Mandate[] = []
        for await (const mandate of purser.mandates.list(query, { signal })) {
          mandates.push(mandate)
          if (mandates.length >= 1_000) break
        }
        return mandates
      },
    }),
  /** The newest transactions without their details. */
  latestTransactions: (query: ListTransactionsQuery = {}) =>
    queryOptions({
      queryKey: ['transactions', 'latest', query],
      queryFn: ({ signal }) =>
        purser.transactions.list({ view: 'summary', limit: 5, ...query }, { signal }).page(),
    }),
  /**
   * The last direct spend that the mandate approved; null: none. Events do not change it, so that an
   * example stays as it is while a person copies it.
   */
  paidSpend: (agentId: string, mandateId: string) =>
    queryOptions({
      queryKey: ['paid-spend', agentId, mandateId],
      queryFn: async ({ signal }) => {
        const query = { view: 'summary', path: 'evaluate', decision: 'approved', limit: 1 } as const
        const list = purser.transactions.list({ ...query, agentId, mandateId }, { signal })
        return (await list.page()).data[0] ?? null
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** How many people the organization has, with those who were invited. For owners and admins. */
  peopleCount: () =>
    queryOptions({
      queryKey: ['members', 'count'],
      queryFn: async ({ signal }) => {
        const [members, invitations] = await Promise.all([
          callConsole('listMembers', { query: { limit: 1 }, signal }),
          callConsole('listInvitations', { query: { limit: 1 }, signal }),
        ])
        return members.total + invitations.total
      },
      staleTime: 60_000,
    }),
  /** The entries of the audit log about one object, newest first. */
  history: (subject: string) =>
    queryOptions({
      queryKey: ['auditLog', 'subject', subject],
      queryFn: ({ signal }) => purser.auditLog.list({ subject, limit: 50 }, { signal }).page(),
    }),
  /** The newest leaves, to count those that are not in the list yet. */
  latestLeaves: (query: ListAuditLogQuery) =>
    queryOptions({
      queryKey: ['auditLog', 'latest', query],
      queryFn: ({ signal }) => purser.auditLog.list({ ...query, limit: 50 }, { signal }).page(),
    }),
  /** The public keys of the audit log and its last signed state. */
  auditHead: () =>
    queryOptions({
      queryKey: ['auditLog', 'head'],
      queryFn: ({ signal }) => purser.auditLog.proof({}, { signal }),
    }),
  /** One leaf by its place in the log: the first one before the next place. */
  leaf: (index: number) =>
    queryOptions({
      queryKey: ['auditLeaf', index],
      queryFn: async ({ signal }) => {
        const { data } = await purser.auditLog
          .list({ cursor: index + 1, limit: 1 }, { signal })
          .page()
        return data.find((entry) => entry.index === index) ?? null
      },
      // A leaf never changes, but retention can remove its payload.
      staleTime: 60_000,
    }),
  agentKeys: (agentId: string) =>
    queryOptions({
      queryKey: ['apiKeys', 'agent', agentId],
      queryFn: ({ signal }) => purser.apiKeys.list({ agentId, limit: 50 }, { signal }).page(),
    }),
  agentCards: (agentId: string) =>
    queryOptions({
      queryKey: ['cards', 'agent', agentId],
      queryFn: ({ signal }) => purser.cards.list({ agentId, limit: 50 }, { signal }).page(),
    }),
  members: () =>
    queryOptions({
      queryKey: ['members', 'list'],
      queryFn: ({ signal }) => callConsole('listMembers', { query: { limit: 200 }, signal }),
    }),
  invitations: () =>
    queryOptions({
      queryKey: ['members', 'invitations'],
      queryFn: ({ signal }) => callConsole('listInvitations', { query: { limit: 200 }, signal }),
    }),
  sessions: () =>
    queryOptions({
      queryKey: ['me', 'sessions'],
      queryFn: ({ signal }) => callConsole('listSessions', { signal }),
    }),
  passkeys: () =>
    queryOptions({
      queryKey: ['me', 'passkeys'],
      queryFn: ({ signal }) => callConsole('listPasskeys', { signal }),
    }),
  messages: () =>
    queryOptions({
      queryKey: ['me', 'messages'],
      queryFn: ({ signal }) => callConsole('getMessages', { signal }),
    }),
  recoveryCodes: () =>
    queryOptions({
      queryKey: ['me', 'recoveryCodes'],
      queryFn: ({ signal }) => callConsole('countRecoveryCodes', { signal }),
    }),
  /** The verdict on a spend that is not made. Null: nothing to ask. The last answer stays. */
  simulation: (input: SimulationInput | null) =>
    queryOptions({
      queryKey: ['simulation', input],
      queryFn: input ? ({ signal }) => purser.gateway.simulate(input, { signal }) : skipToken,
      placeholderData: keepPreviousData,
      gcTime: 30_000,
    }),
  /** The amounts of the newest transactions, at most a thousand. */
  transactionAmounts: (query: ListTransactionsQuery, isOn: boolean) =>
    queryOptions({
      queryKey: ['transactions', 'amounts', query],
      queryFn: isOn
        ? async ({ signal }) => {
            const list = purser.transactions.list(
              { ...query, view: 'summary', limit: 200 },
              { signal },
            )
            return (await list.toArray({ limit: 1_000 })).map(({ amount }) => amount)
          }
        : skipToken,
      staleTime: 60_000,
    }),
}

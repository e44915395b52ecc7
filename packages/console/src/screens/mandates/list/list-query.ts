import type { ListMandatesQuery, MandateStatus } from '@purser/sdk'

type Search = Readonly<Record<string, string | undefined>>

const STATUSES: readonly MandateStatus[] = ['active', 'draft', 'expired', 'revoked']

/** The filters of the address as a query. A value that the API does not know is left out. */
export function listQuery(search: Search): ListMandatesQuery {
  const status = STATUSES.find((one) => one === search['status'])
  const q = search['q']?.trim()
  return {
    ...(status ? { status } : {}),
    ...(search['agent'] ? { agentId: search['agent'] } : {}),
    ...(search['archived'] === 'true' ? { archived: true } : {}),
    ...(q ? { q } : {}),
    ...(search['sort'] === 'percentUsed' ? { sort: 'percentUsed' as const } : {}),
  }
}

export function isFiltered(search: Search): boolean {
  const { sort: _, ...filters } = listQuery(search)
  return Object.keys(filters).length > 0
}

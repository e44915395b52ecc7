import type { ListAgentsQuery } from '@purser/sdk'

/** The filters of the list in the address. */
export type AgentSearch = Readonly<Partial<Record<'status' | 'tag' | 'q' | 'sort', string>>>

/** The query for the gateway. Values that it does not know are left out. */
export function toQuery({ status, tag, q, sort }: AgentSearch): ListAgentsQuery {
  return {
    include: 'mandate',
    ...(status === 'active' || status === 'paused' ? { status } : {}),
    ...(tag ? { tag } : {}),
    ...(q ? { q } : {}),
    ...(sort === 'percentUsed' ? { sort } : {}),
  }
}

export function isFiltered({ status, tag, q }: AgentSearch): boolean {
  return Boolean(status || tag || q)
}

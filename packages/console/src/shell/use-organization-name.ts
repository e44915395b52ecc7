import { useQuery } from '@tanstack/react-query'
import { queries } from '../data/queries.ts'
import { useMe } from '../data/session.ts'

/** The session knows the name before the organization itself is loaded. */
export function useOrganizationName(): string {
  const me = useMe()
  const { data } = useQuery(queries.organization())
  return data?.name ?? me.organization.name
}

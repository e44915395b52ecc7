import { createContext, useContext } from 'react'
import type { Me } from '../generated/console-api.ts'
import { ROLE_WORDS, whoMay } from '../words/roles.ts'

/** The signed-in member. Present on every page behind the doors. */
export const SessionContext = createContext<Me | null>(null)

export function useMe(): Me {
  const me = useContext(SessionContext)
  if (!me) throw new Error('This page needs a session.')
  return me
}

export type Scope = Me['scopes'][number]

/** Whether the member may do it, and otherwise a sentence that says who may. */
export interface Permission {
  readonly isAllowed: boolean
  readonly reason: string | undefined
}

/** The scopes decide, never the name of the role: see section 3 of the design. */
export function useMay(scope: Scope): Permission {
  const { scopes, member } = useMe()
  if (scopes.includes(scope)) return { isAllowed: true, reason: undefined }
  return { isAllowed: false, reason: `${whoMay(scope)} ${ROLE_WORDS[member.role].youAre}` }
}

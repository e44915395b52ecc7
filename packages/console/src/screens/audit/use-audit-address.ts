import { useCallback } from 'react'
import { useNewestParam } from '../../keys/use-newest-param.ts'
import { useNavigate, useParams, useSearch } from '../../router/use-router.ts'

/** The filters of the audit log, as they stand in the address. */
export interface AuditSearch {
  readonly kind?: string | undefined
  readonly subject?: string | undefined
  readonly actor?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The address is the state of the screen: the filters, and the leaf whose drawer is open. */
export function useAuditAddress() {
  const { kind, subject, actor, from, to } = useSearch<AuditSearch>()
  const { index } = useParams()
  const navigate = useNavigate()
  const setSearch = useCallback(
    (change: AuditSearch, isTyping = false) => {
      const search = (before: AuditSearch) => withoutEmpty({ ...before, ...change })
      void navigate({ to: '.', search, replace: isTyping })
    },
    [navigate],
  )
  const open = useCallback(
    (leaf: number, isMove = false) => {
      const params = { index: String(leaf) }
      void navigate({ to: '/audit/$index', params, search: true, replace: isMove })
    },
    [navigate],
  )
  const close = useCallback(() => {
    void navigate({ to: '/audit', search: true })
  }, [navigate])
  const newest = useNewestParam('/audit')
  const newestIndex = useCallback(() => toIndex(newest()), [newest])
  const openIndex = toIndex(index)
  const search = { kind, subject, actor, from, to }
  return { search, openIndex, newestIndex, setSearch, open, close }
}

function toIndex(text: string | undefined): number | undefined {
  return text === undefined || !/^\d{1,15}$/.test(text) ? undefined : Number(text)
}

function withoutEmpty(search: AuditSearch): AuditSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  )
}

import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useNewestParam } from '../../keys/use-newest-param.ts'

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
  const { kind, subject, actor, from, to } = useSearch({ strict: false }) as AuditSearch
  const { index } = useParams({ strict: false })
  const navigate = useNavigate()
  const setSearch = useCallback(
    (change: AuditSearch, isTyping = false) => {
      const search = (before: AuditSearch) => withoutEmpty({ ...before, ...change })
      void navigate({ to: '.', search: search as never, replace: isTyping, resetScroll: false })
    },
    [navigate],
  )
  const open = useCallback(
    (leaf: number, isMove = false) => {
      const params = { index: String(leaf) }
      const how = { search: true as never, replace: isMove, resetScroll: false }
      void navigate({ to: '/audit/$index', params, ...how })
    },
    [navigate],
  )
  const close = useCallback(() => {
    void navigate({ to: '/audit', search: true as never, resetScroll: false })
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

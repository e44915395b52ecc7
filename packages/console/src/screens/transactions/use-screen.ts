import { useCallback } from 'react'
import { useNewestParam } from '../../keys/use-newest-param.ts'
import { useNavigate, useParams, useSearch } from '../../router/use-router.ts'
import type { TransactionSearch } from './filters/filters.ts'

export interface ScreenAddress {
  readonly search: TransactionSearch
  /** The transaction whose drawer is open. */
  readonly openId: string | undefined
  /**
   * The transaction of the newest address. While keys are pressed faster than pages are drawn,
   * `openId` is an earlier one.
   */
  readonly newestId: () => string | undefined
  /** Changes filters. An undefined value removes one. Typing replaces the address, the rest adds. */
  readonly setSearch: (change: TransactionSearch, isTyping?: boolean) => void
  /** Opens a transaction beside the list. Moving from one to the next replaces the address. */
  readonly open: (id: string, isMove?: boolean) => void
  readonly close: () => void
}

/** The address is the state of the screen: filters, the saved view, the drawer and its tab. */
export function useScreen(): ScreenAddress {
  const search = useSearch<TransactionSearch>()
  const { id: openId } = useParams()
  const navigate = useNavigate()
  const newestId = useNewestParam('/transactions')
  const setSearch = useCallback(
    (change: TransactionSearch, isTyping = false) => {
      void navigate({
        to: '.',
        search: (before: TransactionSearch) => without({ ...before, ...change }),
        replace: isTyping,
      })
    },
    [navigate],
  )
  const open = useCallback(
    (id: string, isMove = false) => {
      void navigate({
        to: '/transactions/$id',
        params: { id },
        search: true,
        replace: isMove,
      })
    },
    [navigate],
  )
  const close = useCallback(() => {
    void navigate({
      to: '/transactions',
      search: (before: TransactionSearch) => without({ ...before, tab: undefined }),
    })
  }, [navigate])
  return { search, openId, newestId, setSearch, open, close }
}

function without(search: TransactionSearch): TransactionSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  )
}

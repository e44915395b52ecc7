import { useNavigate, useParams, useSearch } from '../../router/use-router.ts'

export interface CardsSearch {
  readonly status?: string | undefined
  readonly agent?: string | undefined
  readonly connection?: string | undefined
  /** `card` or `connection`: the form of a new one is open. */
  readonly new?: string | undefined
}

/** The address is the state of the screen: filters, the open connection, the form of a new thing. */
export function useCardsAddress() {
  const search = useSearch<CardsSearch>()
  const { id } = useParams()
  const navigate = useNavigate()
  return {
    search,
    openId: id,
    go: (change: CardsSearch, isReplaced = false) => {
      const next = (before: CardsSearch) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value))
      return navigate({ to: '.', search: next as never, replace: isReplaced })
    },
    close: () => {
      void navigate({ to: '/cards', search: true })
    },
  }
}

import { useNavigate, useParams, useSearch } from '../../router/use-router.ts'

export interface VendorSearch {
  readonly category?: string | undefined
  readonly host?: string | undefined
  /** Opens the form of a new vendor, filled with `host`, `payee` and `descriptor`. */
  readonly new?: string | undefined
  readonly payee?: string | undefined
  readonly descriptor?: string | undefined
}

/** The address is the state of the screen: filters, the open vendor, the form of a new one. */
export function useVendorAddress() {
  const search = useSearch<VendorSearch>()
  const { id } = useParams()
  return { search, id, isNew: search.new !== undefined, ...useMoves() }
}

function useMoves() {
  const navigate = useNavigate()
  return {
    go: (change: VendorSearch, isReplaced = false) => {
      const search = (before: VendorSearch) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value))
      return navigate({ to: '.', search: search, replace: isReplaced })
    },
    open: (id: string) => {
      void navigate({
        to: '/vendors/$id',
        params: { id },
        search: true,
      })
    },
    close: () => {
      void navigate({ to: '/vendors', search: true })
    },
  }
}

import { useNewestParam } from '../../keys/use-newest-param.ts'
import { useShortcut } from '../../keys/use-shortcut.ts'
import { useNavigate } from '../../router/use-router.ts'
import { neighbour } from './inbox.ts'

/** `j` and `k` open the next and the previous request. */
export function useMoveKeys(
  rows: readonly { readonly id: string }[],
  search: Readonly<Record<string, string>>,
): void {
  const navigate = useNavigate()
  const newestId = useNewestParam('/approvals')
  const move = (step: 1 | -1) => {
    const id = newestId()
    const to = neighbour(rows, id, step)
    if (to === undefined) return
    void navigate({ to: '/approvals/$id', params: { id: to }, search, replace: id !== undefined })
  }
  useShortcut('j', () => move(1), { label: 'Next request', group: 'Approvals' })
  useShortcut('k', () => move(-1), { label: 'Previous request', group: 'Approvals' })
}

import type { ApiKey } from '@purser/sdk'
import { changeSearch } from '../../page/change-search.ts'
import { useNavigate } from '../../router/use-router.ts'
import { Table, Th } from '../../ui/table.tsx'
import { KeyRow, type KeyVerb } from './key-row.tsx'
import type { KeySort } from './terms.ts'

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly sort: string | undefined
  readonly onAct: (verb: KeyVerb, key: ApiKey) => void
}

export function KeyTable({ keys, sort, onAct }: KeyTableProps) {
  const navigate = useNavigate()
  const sorted = (by: KeySort) => ({
    sort: sort === by && (by === 'used' ? ('descending' as const) : ('ascending' as const)),
    onSort: () =>
      void navigate({
        to: '/keys',
        search: (before) => changeSearch(before, { sort: sort === by ? undefined : by }),
      }),
  })
  return (
    <Table caption="API keys">
      <thead>
        <tr>
          <Th {...sorted('name')}>Name</Th>
          <Th className="max-tablet:hidden">Begins with</Th>
          <Th className="max-tablet:hidden">Access</Th>
          <Th className="max-tablet:hidden">For</Th>
          <Th className="max-tablet:hidden" {...sorted('used')}>
            Last used
          </Th>
          <Th className="max-tablet:hidden" {...sorted('expires')}>
            Expires
          </Th>
          <Th className="max-desk:hidden">Created by</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow apiKey={key} key={key.id} onAct={onAct} />
        ))}
      </tbody>
    </Table>
  )
}

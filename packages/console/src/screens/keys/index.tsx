import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { useTitle } from '../../page/use-title.ts'
import { GuardedPage } from '../../parts/guarded.tsx'
import { useNavigate } from '../../router/use-router.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { KeyList } from './key-list.tsx'

/** The API keys of programs, with their permissions. */
export function Keys() {
  useTitle('API keys')
  const may = useMay('keys:write')
  const navigate = useNavigate()
  const create = () => void navigate({ to: '/keys/new', search: (before) => before })
  return (
    <>
      <PageHeader after={<KeyCount />} title="API keys">
        <Button
          disabledReason={may.reason}
          icon={<Plus aria-hidden="true" size={16} strokeWidth={1.75} />}
          onClick={create}
          variant="primary"
        >
          Create key
        </Button>
      </PageHeader>
      <GuardedPage scope="keys:read" what="API keys">
        <KeyList onCreate={create} />
      </GuardedPage>
    </>
  )
}

function KeyCount() {
  const may = useMay('keys:read')
  const { data } = useQuery({ ...queries.apiKeys(), enabled: may.isAllowed })
  return data ? <span>{data.total.toLocaleString('en')} active</span> : null
}

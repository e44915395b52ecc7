import type { Mandate, MandateStatus } from '@purser/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, Ban, Copy, Ellipsis, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { purser } from '../../../data/client.ts'
import { queries } from '../../../data/queries.ts'
import { useMay } from '../../../data/session.ts'
import { curlOf } from '../../../parts/curl.ts'
import { useNavigate } from '../../../router/use-router.ts'
import { useCopy } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { deleteLater } from './delete-later.ts'

const RevokeDialog = lazy(() =>
  import('./revoke-dialog.tsx').then((it) => ({ default: it.RevokeDialog })),
)

/** Revoking has a dialog with its own command. */
const CURL_LABELS: Readonly<Record<MandateStatus, string>> = {
  active: 'Copy this mandate as curl',
  draft: 'Copy the deletion as curl',
  expired: 'Copy the archiving as curl',
  revoked: 'Copy the archiving as curl',
}

/** Further actions for a mandate: revoke, archive, delete, copy as curl. */
export function MandateMenu({ mandate }: { readonly mandate: Mandate }) {
  const { id, name, status, archivedAt } = mandate
  const may = useMay('mandates:write')
  const client = useQueryClient()
  const navigate = useNavigate()
  const { copy } = useCopy()
  const [isRevoking, setRevoking] = useState(false)
  const children = useQuery(queries.mandates({ parentMandateId: id })).data?.data ?? []
  const active = children.filter((child) => child.status === 'active').length
  const remove = (text: string) => {
    deleteLater({
      ...{ id, text, send: () => purser.mandates.delete(id) },
      refresh: () => client.invalidateQueries({ queryKey: ['mandates'] }),
    })
    void navigate({ to: '/mandates' })
  }
  const reason = may.reason === undefined ? {} : { disabledReason: may.reason }
  const items: MenuItem[] = [
    {
      label: CURL_LABELS[status],
      icon: <Copy aria-hidden size={14} />,
      onSelect: () => {
        const method = status === 'active' ? 'GET' : 'DELETE'
        const text = curlOf({ method, path: `/mandates/${id}` })
        void copy(text).then((isDone) => isDone && toast('Copied as curl'))
      },
    },
    'separator',
  ]
  if (status === 'active') {
    items.push({
      ...{ label: 'Revoke …', icon: <Ban aria-hidden size={14} />, danger: true, ...reason },
      onSelect: () => setRevoking(true),
    })
  } else if (status === 'draft') {
    items.push({
      ...{ label: 'Delete the draft', icon: <Trash2 aria-hidden size={14} />, danger: true },
      ...reason,
      onSelect: () => remove(`Draft “${name}” deleted`),
    })
  } else {
    items.push({
      ...{ label: 'Archive', icon: <Archive aria-hidden size={14} />, ...reason },
      ...(archivedAt ? { disabledReason: 'It is archived already.' } : {}),
      onSelect: () => remove(`“${name}” archived`),
    })
  }
  return (
    <>
      <Menu
        items={items}
        label="More"
        trigger={
          <IconButton icon={<Ellipsis aria-hidden size={16} />} label="More" variant="default" />
        }
      />
      {isRevoking ? (
        <Suspense>
          <RevokeDialog mandate={mandate} childCount={active} onClose={() => setRevoking(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

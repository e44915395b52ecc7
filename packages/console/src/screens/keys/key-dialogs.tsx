import type { ApiKey, CreatedApiKey } from '@purser/sdk'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, usePathname } from '../../router/use-router.ts'
import type { KeyVerb } from './key-row.tsx'

const NewKey = lazy(() => import('./new-key.tsx').then((all) => ({ default: all.NewKey })))
const RotateKey = lazy(() => import('./rotate-key.tsx').then((all) => ({ default: all.RotateKey })))
const RevokeKey = lazy(() => import('./revoke-key.tsx').then((all) => ({ default: all.RevokeKey })))
const MadeKey = lazy(() => import('./made-key.tsx').then((all) => ({ default: all.MadeKey })))

interface KeyDialogsProps {
  readonly open: { readonly verb: KeyVerb; readonly key: ApiKey } | null
  readonly onClose: () => void
}

/** The secret of a new key lives here, in the state of one component, until its dialog closes. */
export function KeyDialogs({ open, onClose }: KeyDialogsProps) {
  const navigate = useNavigate()
  const isNew = usePathname() === '/keys/new'
  const [made, setMade] = useState<CreatedApiKey | null>(null)
  const leave = () => navigate({ to: '/keys', search: (before) => before, replace: true })
  async function show(key: CreatedApiKey) {
    // The page moves first: the dialog with the key holds the page until the key is copied.
    onClose()
    if (isNew) await leave()
    setMade(key)
  }
  return (
    <Suspense>
      {isNew ? <NewKey onClose={() => void leave()} onMade={(key) => void show(key)} /> : null}
      {open?.verb === 'rotate' ? (
        <RotateKey apiKey={open.key} onClose={onClose} onMade={(key) => void show(key)} />
      ) : null}
      {open?.verb === 'revoke' ? <RevokeKey apiKey={open.key} onClose={onClose} /> : null}
      {made ? <MadeKey made={made} onClose={() => setMade(null)} /> : null}
    </Suspense>
  )
}

import type { ApiKey, CreatedApiKey } from '@purser/sdk'
import { KeyRound } from 'lucide-react'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface LostKeyProps {
  readonly lost: ApiKey
  readonly onCreated: (key: CreatedApiKey) => void
}

/** After a reload the key cannot be shown again. A new one takes its place at once. */
export function LostKey({ lost, onCreated }: LostKeyProps) {
  const may = useMay('keys:write')
  const body = { replaces: lost.id, overlapSeconds: 0 }
  const replace = useAction({
    run: (_: undefined, options) => purser.apiKeys.create(body, options),
    sentence: `Rotate the API key ${lost.name}. The old one stops at once.`,
    touches: [['apiKeys']],
    onDone: onCreated,
  })
  if (lost.lastUsedAt !== null) return null
  return (
    <>
      <Notice
        action={
          <>
            <CopyCurl request={{ method: 'POST', path: '/api-keys', body }} size="sm" />
            <Button
              busy={replace.isBusy}
              disabledReason={may.reason}
              onClick={() => void replace.start(undefined)}
              size="sm"
            >
              Rotate the key
            </Button>
          </>
        }
        icon={<KeyRound aria-hidden="true" size={16} strokeWidth={1.5} />}
      >
        The key <b>{lost.name}</b> was shown once, and no program has used it yet. If you did not
        copy it, rotate it: a new key is shown, and the old one stops at once.
      </Notice>
      <ErrorNotice error={replace.error} title="The key was not rotated." />
    </>
  )
}

import type { ApiKey, CreatedApiKey } from '@purser/sdk'
import { KeyRound } from 'lucide-react'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface LostKeyProps {
  readonly lost: ApiKey
  readonly onCreated: (key: CreatedApiKey) => void
}

/** After a reload the key cannot be shown again. A new one takes its place at once. */
export function LostKey({ lost, onCreated }: LostKeyProps) {
  const may = useMay('keys:write')
  const replace = useAction({
    run: (_: undefined, options) =>
      purser.apiKeys.create({ replaces: lost.id, overlapSeconds: 0 }, options),
    sentence: `Rotate the API key ${lost.name}. The old one stops at once.`,
    touches: [['apiKeys']],
    onDone: onCreated,
  })
  if (lost.lastUsedAt !== null) return null
  return (
    <>
      <Notice
        action={
          <Button
            busy={replace.isBusy}
            disabledReason={may.reason}
            onClick={() => void replace.start(undefined)}
            size="sm"
          >
            Make another
          </Button>
        }
        icon={<KeyRound aria-hidden="true" size={16} strokeWidth={1.5} />}
      >
        The key <b>{lost.name}</b> was shown once, and no program has used it yet. If you did not
        copy it, make another: the old one is revoked.
      </Notice>
      <ErrorNotice error={replace.error} title="The key was not rotated." />
    </>
  )
}

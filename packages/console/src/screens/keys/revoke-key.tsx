import type { ApiKey } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { useNow, When } from '../../parts/when.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { countOf } from '../../words/text.ts'
import { leavesNoManager, madeBy } from './reach.ts'

interface RevokeKeyProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Revokes a key, and if asked also the keys that it created. */
export function RevokeKey({ apiKey, onClose }: RevokeKeyProps) {
  const now = useNow()
  const { data } = useQuery(queries.apiKeys({ status: 'all' }))
  const keys = data?.data ?? []
  const children = madeBy(keys, apiKey.id)
  const [withChildren, setWithChildren] = useState(false)
  const withDescendants = children.length > 0 && withChildren
  const gone = new Set([apiKey.id, ...(withDescendants ? children.map(({ id }) => id) : [])])
  const isLast = data !== undefined && !data.hasMore && leavesNoManager(keys, gone, now)
  const revoke = useAction({
    run: (query: { withDescendants?: boolean }, options) =>
      purser.apiKeys.delete(apiKey.id, query, options),
    sentence: `Revoke the API key ${apiKey.name}.`,
    touches: [['apiKeys']],
    done: ({ revokedKeys }) =>
      revokedKeys === 1
        ? `${apiKey.name} is revoked.`
        : `${apiKey.name} and ${countOf(revokedKeys - 1, 'key')} that it created are revoked.`,
    onDone: onClose,
  })
  const query = withDescendants ? { withDescendants: true } : {}
  return (
    <Dialog
      alert
      description={
        <>
          <Used at={apiKey.lastUsedAt} /> Calls with it fail within a second. A revoked key cannot
          be brought back.
        </>
      }
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              request={{
                method: 'DELETE',
                path: `/api-keys/${apiKey.id}${withDescendants ? '?withDescendants=true' : ''}`,
              }}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            busy={revoke.isBusy}
            disabledReason={isLast ? 'No key that can manage keys would be left.' : undefined}
            type="submit"
            variant="danger-solid"
          >
            Revoke {apiKey.name}
          </Button>
        </>
      }
      onClose={onClose}
      onSubmit={() => void revoke.start(query)}
      open
      size="sm"
      title={`Revoke ${apiKey.name}?`}
    >
      <div className="grid gap-3 empty:hidden">
        {children.length > 0 ? (
          <Checkbox
            checked={withChildren}
            help={children.map(({ name }) => name).join(', ')}
            label={`Also revoke the ${countOf(children.length, 'key')} that it created`}
            onChange={setWithChildren}
          />
        ) : null}
        {isLast ? (
          <Notice icon={<TriangleAlert aria-hidden="true" size={16} />} tone="ask">
            <b>No key that can manage keys would be left.</b> Create a key for every agent that may
            do everything first, then revoke this one.
          </Notice>
        ) : null}
        <ErrorNotice error={revoke.error} title="The key was not revoked." />
      </div>
    </Dialog>
  )
}

function Used({ at }: { readonly at: string | null }) {
  if (at === null) return 'It was never used.'
  return (
    <>
      It was used <When ago at={at} />.
    </>
  )
}

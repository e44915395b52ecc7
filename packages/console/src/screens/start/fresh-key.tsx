import type { CreatedApiKey } from '@purser/sdk'
import { KeyRound } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { keySnippets, maskedKey } from './snippets.ts'

interface FreshKeyProps {
  readonly created: CreatedApiKey
  readonly isCopied: boolean
  readonly onCopied: () => void
  readonly onHide: () => void
}

/** The key, shown once. It is in memory alone: no storage and no address ever has it. */
export function FreshKey({ created, isCopied, onCopied, onHide }: FreshKeyProps) {
  return (
    <Card aria-label="Your new key">
      <CardBody className="grid gap-3">
        <Notice
          icon={<KeyRound aria-hidden="true" size={16} strokeWidth={1.75} />}
          role="status"
          title={isCopied ? 'The key is copied.' : 'Copy the key now.'}
          tone="ask"
          action={
            isCopied ? (
              <Button onClick={onHide} size="sm">
                Hide the key
              </Button>
            ) : undefined
          }
        >
          Purser keeps only a hash of the key and cannot show it again. The key is gone when you
          leave this page.
        </Notice>
        <div className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 flex-1 basis-60 rounded-2 border border-line bg-well px-2.5 py-1.5 text-small break-all">
            <span className="sr-only">The key {created.name}: </span>
            {isCopied ? maskedKey(created.apiKey) : created.apiKey}
          </code>
          <CopyButton
            label="Copy the key"
            onCopied={onCopied}
            text={created.apiKey}
            variant={isCopied ? 'default' : 'primary'}
          />
        </div>
        <Snippets
          label="Where to keep it"
          onCopied={onCopied}
          tabs={keySnippets(created.apiKey, location.origin)}
        />
      </CardBody>
    </Card>
  )
}

import type { CreatedApiKey } from '@purser/sdk'
import { TriangleAlert } from 'lucide-react'
import { SecretOnce } from '../../parts/secret/secret-once.tsx'
import { useTimezone } from '../../parts/when.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { formatDay } from '../../words/time.ts'
import { FirstCall } from './first-call.tsx'
import { agentWords, useAgentNames } from './key-agents.tsx'
import { keySnippets, spenderOf } from './key-snippets.ts'
import { reachSentence } from './reach.ts'

interface MadeKeyProps {
  readonly made: CreatedApiKey
  readonly onClose: () => void
}

/** The new key, once, with the calls that it can make. */
export function MadeKey({ made, onClose }: MadeKeyProps) {
  const names = useAgentNames()
  const timezone = useTimezone()
  const spender = spenderOf(made, names.keys())
  const { apiKey, name, scopes, agentIds, expiresAt, warnings } = made
  return (
    <SecretOnce noun="key" onClose={onClose} secret={apiKey} title={`Here is the key “${name}”`}>
      {(onCopied) => (
        <>
          <DescriptionList
            rows={[
              { label: 'May', value: reachSentence(scopes, agentWords(agentIds, names)) },
              {
                label: 'Expires',
                value: expiresAt
                  ? formatDay(new Date(expiresAt), timezone, new Date())
                  : 'never, until someone revokes it',
              },
            ]}
          />
          {warnings.map(({ code, message }) => (
            <Notice icon={<TriangleAlert aria-hidden="true" size={16} />} key={code} tone="ask">
              {message}
            </Notice>
          ))}
          <Snippets
            label="The first call"
            onCopied={onCopied}
            tabs={keySnippets(made, spender, location.origin)}
          />
          {spender === null ? null : <FirstCall made={made} />}
        </>
      )}
    </SecretOnce>
  )
}

import type { ApiKey } from '@purser/sdk'
import { Ban, Ellipsis, RotateCw } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { useNow, When } from '../../parts/when.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Row, Td } from '../../ui/table.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { Expiry } from './expiry.tsx'
import { KeyAgents } from './key-agents.tsx'
import { reachOf, reachWord } from './reach.ts'

export type KeyVerb = 'rotate' | 'revoke'

interface KeyRowProps {
  readonly apiKey: ApiKey
  readonly onAct: (verb: KeyVerb, key: ApiKey) => void
}

export function KeyRow({ apiKey, onAct }: KeyRowProps) {
  const isOver = apiKey.revokedAt !== null && apiKey.revokedAt !== undefined
  return (
    <Row className={isOver ? 'text-ink-3' : ''}>
      <Td className="max-tablet:w-full max-tablet:max-w-0 max-tablet:py-2 max-tablet:whitespace-normal tablet:max-w-40 tablet:truncate min-[90rem]:max-w-50">
        <bdi className={`break-words ${isOver ? '' : 'font-medium'}`} title={apiKey.name}>
          {apiKey.name}
        </bdi>
        <div className="text-small text-ink-3 tablet:hidden">
          <code className="wrap-anywhere">{apiKey.prefix}…</code>
          <div>
            {reachWord(apiKey.scopes)} · <Used {...apiKey} />
          </div>
          <KeyAgents agentIds={apiKey.agentIds} />
          <Expiry apiKey={apiKey} quietIfNever />
        </div>
      </Td>
      <Td className="max-tablet:hidden">
        <code className="text-small text-ink-2">{apiKey.prefix}…</code>
      </Td>
      <Td className="max-tablet:hidden">
        <May apiKey={apiKey} />
      </Td>
      <Td className="max-w-52 max-tablet:hidden">
        <KeyAgents agentIds={apiKey.agentIds} />
      </Td>
      <Td className="max-tablet:hidden">
        <Used {...apiKey} />
      </Td>
      <Td className="max-tablet:hidden">
        <Expiry apiKey={apiKey} />
      </Td>
      <Td className="max-w-40 truncate max-desk:hidden">
        <bdi>{apiKey.createdByName ?? makerOf(apiKey.createdBy)}</bdi>
      </Td>
      <Td align="right">{isOver ? null : <Actions apiKey={apiKey} onAct={onAct} />}</Td>
    </Row>
  )
}

function May({ apiKey: { scopes } }: { readonly apiKey: ApiKey }) {
  const word = reachWord(scopes)
  const isBroad = reachOf(scopes) === 'everything'
  return (
    <Tooltip content={scopes === null ? 'Every scope' : scopes.join(', ')}>
      <span className={isBroad ? 'font-medium text-ask' : undefined}>{word}</span>
    </Tooltip>
  )
}

function Used({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>) {
  const now = useNow()
  if (lastUsedAt === null) return <span className="text-ink-3">never used</span>
  // The gateway notes the use by the minute, so seconds would be invented.
  if (now - Date.parse(lastUsedAt) < 120_000) return <span>just now</span>
  return <When ago at={lastUsedAt} />
}

function makerOf(id: string | null): string {
  if (id === 'cli') return 'the operator'
  return id === 'system' ? 'Purser' : '–'
}

function Actions({ apiKey, onAct }: KeyRowProps) {
  const may = useMay('keys:write')
  const named = (verb: string) => `${verb} ${apiKey.name}`
  return (
    <>
      <span className="inline-flex gap-1 max-tablet:hidden">
        <Button
          aria-label={named('Rotate')}
          disabledReason={may.reason}
          onClick={() => onAct('rotate', apiKey)}
          size="sm"
        >
          Rotate
        </Button>
        <Button
          aria-label={named('Revoke')}
          disabledReason={may.reason}
          onClick={() => onAct('revoke', apiKey)}
          size="sm"
          variant="danger"
        >
          Revoke
        </Button>
      </span>
      <span className="tablet:hidden">
        <Menu
          items={[
            {
              ...{ label: 'Rotate…', icon: <RotateCw aria-hidden="true" size={14} /> },
              ...{ disabledReason: may.reason, onSelect: () => onAct('rotate', apiKey) },
            },
            {
              ...{ label: 'Revoke…', icon: <Ban aria-hidden="true" size={14} />, danger: true },
              ...{ disabledReason: may.reason, onSelect: () => onAct('revoke', apiKey) },
            },
          ]}
          label={named('Actions for')}
          trigger={
            <IconButton
              icon={<Ellipsis aria-hidden="true" size={16} />}
              label={named('Actions for')}
            />
          }
        />
      </span>
    </>
  )
}

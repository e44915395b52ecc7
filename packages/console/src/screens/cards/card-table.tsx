import type { Card as PaymentCard } from '@purser/sdk'
import { Ban, Check, Ellipsis, Pause, Pencil, Play } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { AgentChip } from '../../parts/agent-chip.tsx'
import { Link } from '../../router/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Row, Table, Td, Th } from '../../ui/table.tsx'
import { cardName } from './health-words.ts'

export type CardDoing = 'edit' | 'pause' | 'resume' | 'close'

interface CardTableProps {
  readonly cards: readonly PaymentCard[]
  readonly agentName: (id: string) => string | null
  readonly connectionName: (id: string) => string
  readonly onDo: (doing: CardDoing, card: PaymentCard) => void
}

/** The cards of the agents. */
export function CardTable({ cards, agentName, connectionName, onDo }: CardTableProps) {
  return (
    <Table caption="Cards">
      <thead>
        <tr>
          <Th>Card</Th>
          <Th className="max-phone:hidden">Agent</Th>
          <Th className="max-laptop:hidden">Connection</Th>
          <Th>Status</Th>
          <Th align="right">
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {cards.map((card) => (
          <Row key={card.id}>
            <Td className="max-w-60 truncate max-phone:w-full max-phone:max-w-0">
              <Link
                to="/transactions"
                search={{ card: card.id }}
                className="font-medium text-ink hover:text-accent"
              >
                <bdi>{cardName(card)}</bdi>
              </Link>
              <span className="block truncate text-small text-ink-3 phone:hidden">
                {agentName(card.agentId)}
              </span>
            </Td>
            <Td className="max-w-50 truncate max-phone:hidden">
              <AgentChip name={agentName(card.agentId)} id={card.agentId} />
            </Td>
            <Td className="max-w-50 truncate max-laptop:hidden">
              <bdi>{connectionName(card.connectionId)}</bdi>
            </Td>
            <Td>
              <CardBadge card={card} />
            </Td>
            <Td align="right">
              <Actions card={card} onDo={(doing) => onDo(doing, card)} />
            </Td>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}

const STATUS = {
  active: { word: 'Active', tone: 'ok', icon: Check },
  paused: { word: 'Paused', tone: 'ask', icon: Pause },
  closed: { word: 'Closed', tone: 'done', icon: Ban },
} as const

/** The stricter of our status and the issuer's applies. */
function CardBadge({
  card: { status, providerStatus, statusReason },
}: {
  readonly card: PaymentCard
}) {
  const isIssuers = status === 'active' && providerStatus !== null && providerStatus !== 'active'
  const { word, tone, icon: Icon } = STATUS[isIssuers ? providerStatus : status]
  return (
    <span title={statusReason ?? undefined}>
      <Badge tone={tone} icon={<Icon aria-hidden size={13} strokeWidth={1.75} />}>
        {isIssuers ? `${word} by the issuer` : word}
      </Badge>
    </span>
  )
}

interface ActionsProps {
  readonly card: PaymentCard
  readonly onDo: (doing: CardDoing) => void
}

function Actions({ card, onDo }: ActionsProps) {
  const { reason: disabledReason } = useMay('cards:write')
  const isClosed = card.status === 'closed'
  const off = disabledReason ?? (isClosed ? 'A closed card stays closed.' : undefined)
  const isPaused = card.status === 'paused'
  return (
    <Menu
      label={`Actions for ${cardName(card)}`}
      trigger={
        <IconButton
          icon={<Ellipsis aria-hidden size={16} />}
          label={`Actions for ${cardName(card)}`}
          size="sm"
        />
      }
      items={[
        {
          label: isPaused ? 'Resume card…' : 'Pause card…',
          icon: isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />,
          onSelect: () => onDo(isPaused ? 'resume' : 'pause'),
          disabledReason: off,
        },
        {
          label: 'Change card…',
          icon: <Pencil size={14} aria-hidden />,
          onSelect: () => onDo('edit'),
          disabledReason: off,
        },
        'separator',
        {
          label: 'Close card…',
          icon: <Ban size={14} aria-hidden />,
          onSelect: () => onDo('close'),
          danger: true,
          disabledReason: off,
        },
      ]}
    />
  )
}

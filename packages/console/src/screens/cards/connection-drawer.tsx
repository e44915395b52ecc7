import type { CardConnection } from '@purser/sdk'
import { Pencil } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { useTitle } from '../../page/use-title.ts'
import { Amount } from '../../parts/amount.tsx'
import { Id } from '../../parts/id.tsx'
import { showControls } from '../../parts/quoted.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatAmount, formatCount } from '../../words/money.ts'
import { HealthBadge } from './connection-card.tsx'
import type { ConnectionDoing } from './connection-change.tsx'
import { FLAG_NAMES, healthOf } from './health-words.ts'
import { providerName } from './providers.ts'

interface ConnectionDrawerProps {
  readonly connection: CardConnection | undefined
  readonly isMissing: boolean
  readonly onEdit: () => void
  readonly onDo: (doing: ConnectionDoing) => void
  readonly onClose: () => void
}

/** One connection: its health, the reports that a person should check, and its terms. */
export function ConnectionDrawer(props: ConnectionDrawerProps) {
  const { connection, isMissing, onEdit, onDo, onClose } = props
  const { reason } = useMay('cards:write')
  const name = connection?.name ?? 'Connection'
  useTitle(`${name} · Cards`)
  return (
    <Drawer
      open
      onClose={onClose}
      label={name}
      header={
        <>
          <h2 tabIndex={-1}>
            <bdi>{name}</bdi>
          </h2>
          {connection ? <HealthBadge connection={connection} /> : null}
        </>
      }
      footer={
        connection ? (
          <>
            <Button
              icon={<Pencil aria-hidden size={14} />}
              onClick={onEdit}
              disabledReason={reason}
            >
              Change
            </Button>
            {connection.ingest ? (
              <Button onClick={() => onDo('rotate')} disabledReason={reason}>
                Rotate URLs…
              </Button>
            ) : null}
            <Button
              onClick={() => onDo(connection.status === 'active' ? 'disable' : 'enable')}
              disabledReason={reason}
            >
              {connection.status === 'active' ? 'Disable…' : 'Enable…'}
            </Button>
          </>
        ) : undefined
      }
    >
      {connection ? (
        <Content connection={connection} />
      ) : (
        <DrawerSection>
          {isMissing ? (
            <Notice title="There is no such connection.">
              It may belong to a different organization.
            </Notice>
          ) : (
            <Skeleton rows={8} />
          )}
        </DrawerSection>
      )}
    </Drawer>
  )
}

interface ContentProps {
  readonly connection: CardConnection
}

function Content({ connection }: ContentProps) {
  const { id, health, deadlineMs } = connection
  const { lastRequestAt, lastEventAt, p95Ms } = health
  return (
    <>
      <DrawerSection>
        <p className="text-read text-pretty">{healthOf(connection).sentence}</p>
        <p className="mt-2">
          <Link to="/audit" search={{ subject: id }}>
            History in the audit log
          </Link>
        </p>
      </DrawerSection>
      <DrawerSection title="Health, last 24 hours">
        <DescriptionList
          wide
          rows={[
            {
              label: 'Last request',
              value: lastRequestAt ? <When at={lastRequestAt} ago /> : 'Never',
            },
            { label: 'Last event', value: lastEventAt ? <When at={lastEventAt} ago /> : 'Never' },
            {
              label: 'Answer time, p95',
              value:
                p95Ms === null
                  ? `No answers yet. Deadline: ${formatCount(deadlineMs)} ms`
                  : `${formatCount(p95Ms)} ms of ${formatCount(deadlineMs)} ms`,
            },
            { label: 'Bad signatures', value: formatCount(health.signatureFailures24h) },
            { label: 'Timeouts', value: formatCount(health.timeouts24h) },
            { label: 'Ungoverned', value: formatCount(health.ungoverned24h) },
            { label: 'Unknown cards', value: formatCount(health.unknownCards24h) },
            { label: 'Different currency', value: formatCount(health.otherCurrency24h) },
            { label: 'Unlinked refunds', value: formatCount(health.unlinkedRefunds24h) },
            { label: 'Unreadable events', value: formatCount(health.unreadableEvents24h) },
          ]}
        />
      </DrawerSection>
      <Flagged connection={connection} />
      <Terms connection={connection} />
    </>
  )
}

function Flagged({ connection: { health } }: ContentProps) {
  if (health.flagged.length === 0) return null
  return (
    <DrawerSection title="To check">
      <ul className="grid gap-3">
        {health.flagged.map((event) => (
          <li key={`${event.at} ${event.authorizationId} ${event.externalTransactionId}`}>
            <span className="flex flex-wrap items-baseline gap-x-2">
              <b className="font-medium">{FLAG_NAMES[event.what] ?? event.what}</b>
              {event.amount === null ? null : (
                <Amount value={event.amount} currency={event.currency} />
              )}
              <When at={event.at} ago className="text-small text-ink-3" />
            </span>
            <span className="block text-small text-ink-2">
              <bdi>{showControls(event.message)}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </DrawerSection>
  )
}

function Terms({ connection }: ContentProps) {
  const { id, provider, livemode, failMode, failOpenMaxAmount, secrets, ingest } = connection
  const open = `Approve up to ${formatAmount(failOpenMaxAmount ?? 0, null)}`
  return (
    <DrawerSection title="Terms">
      <DescriptionList
        wide
        rows={[
          { label: 'Issuer', value: providerName(provider) },
          { label: 'Money', value: livemode ? 'Real' : 'Test' },
          { label: 'Without a decision', value: failMode === 'closed' ? 'Decline' : open },
          { label: 'Partial approvals', value: connection.partialApprovals ? 'Allowed' : 'No' },
          {
            label: 'On over-capture',
            value: connection.pauseOnOverCapture ? 'Pause the card' : 'Flag it',
          },
          {
            label: 'Secret of requests',
            value: secrets.authorization && `ends in ${secrets.authorization.hint}`,
          },
          { label: 'Secret of events', value: secrets.events && `ends in ${secrets.events.hint}` },
          {
            label: 'Requests URL',
            value: ingest && <span className="wrap-anywhere">{ingest.authorizationUrl}</span>,
          },
          {
            label: 'Events URL',
            value: ingest && <span className="wrap-anywhere">{ingest.eventsUrl}</span>,
          },
          { label: 'Id', value: <Id value={id} /> },
        ]}
      />
    </DrawerSection>
  )
}

import type { WebhookDelivery } from '@purser/sdk'
import { Fragment } from 'react'
import { When } from '../../../parts/when.tsx'
import { Link } from '../../../router/link.tsx'
import { Row, Table, Td, Th } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { DeliveryBadge } from './delivery-badge.tsx'
import { answerOf } from './delivery-words.ts'

interface DeliveryTableProps {
  readonly deliveries: readonly WebhookDelivery[]
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

export function DeliveryTable({ deliveries, openId, onOpen }: DeliveryTableProps) {
  return (
    <Table caption="Deliveries">
      <thead>
        <tr>
          <Th>When</Th>
          <Th>Status</Th>
          <Th>Event</Th>
          <Th align="right" className="max-phone:hidden">
            Attempts
          </Th>
          <Th align="right" className="max-phone:hidden">
            Answer
          </Th>
          <Th align="right" className="max-tablet:hidden">
            Next
          </Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow
            delivery={delivery}
            isOpen={delivery.id === openId}
            key={delivery.id}
            onOpen={() => onOpen(delivery.id)}
          />
        ))}
      </tbody>
    </Table>
  )
}

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function DeliveryRow({ delivery, isOpen, onOpen }: DeliveryRowProps) {
  const { id, event, test, attempts, nextAttemptAt, createdAt, status } = delivery
  const answer = answerOf(delivery)
  const isBad = status !== 'succeeded' && answer !== ''
  return (
    <Row
      className="cursor-default"
      onClick={(press) => {
        // The link in the row and a selection of text are the person's own.
        const isOwn = press.target instanceof Element && press.target.closest('a, button') !== null
        if (!isOwn && getSelection()?.isCollapsed !== false) onOpen()
      }}
      selected={isOpen}
    >
      <Td className="text-ink-2">
        <When at={createdAt} />
      </Td>
      <Td>
        <DeliveryBadge delivery={delivery} />
      </Td>
      <Td className="max-phone:whitespace-normal">
        <Link
          className="font-mono text-small text-ink wrap-anywhere"
          params={{ id }}
          search={(before) => before}
          to="/settings/webhook/$id"
        >
          <EventName kind={event} />
        </Link>
        {test ? (
          <span className="ml-2">
            <Tag>test</Tag>
          </span>
        ) : null}
      </Td>
      <Td align="right" className="max-phone:hidden">
        {attempts}
      </Td>
      <Td align="right" className={`max-phone:hidden ${isBad ? 'font-medium text-no' : ''}`}>
        {answer}
      </Td>
      <Td align="right" className="text-ink-2 max-tablet:hidden">
        {nextAttemptAt === null ? null : <When ago at={nextAttemptAt} />}
      </Td>
    </Row>
  )
}

/** On a narrow screen the name breaks at its dots. */
function EventName({ kind }: { readonly kind: string }) {
  const [first, ...rest] = kind.split('.')
  return (
    <>
      {first}
      {rest.map((part) => (
        <Fragment key={part}>
          .<wbr />
          {part}
        </Fragment>
      ))}
    </>
  )
}

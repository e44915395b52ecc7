import type { CardConnection, UnknownCard } from '@purser/sdk'
import { useMay } from '../../data/session.ts'
import { Amount } from '../../parts/amount.tsx'
import { showControls } from '../../parts/quoted.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Row, Table, Td, Th } from '../../ui/table.tsx'

export interface Unknown {
  readonly connection: CardConnection
  readonly card: UnknownCard
}

interface UnknownCardsProps {
  readonly connections: readonly CardConnection[]
  readonly onRegister: (unknown: Unknown) => void
}

/** Cards that the issuer asked about and no agent has: every request is declined. */
export function UnknownCards({ connections, onRegister }: UnknownCardsProps) {
  const may = useMay('cards:write')
  const unknown = connections.flatMap((connection) =>
    connection.health.unknownCards.map((card) => ({ connection, card })),
  )
  if (unknown.length === 0) return null
  return (
    <Card aria-label="Unknown cards">
      <CardHeader
        title="Unknown cards"
        note="Their requests are declined until an agent has them."
      />
      <Table caption="Unknown cards" inCard>
        <thead>
          <tr>
            <Th>Card</Th>
            <Th className="max-tablet:hidden">Last at</Th>
            <Th align="right" className="max-phone:hidden">
              Amount
            </Th>
            <Th className="max-tablet:hidden">Seen</Th>
            <Th align="right">
              <span className="sr-only">Action</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {unknown.map((one) => (
            <Row key={`${one.connection.id} ${one.card.externalId}`}>
              <Td>
                <span className="font-medium">
                  {one.card.last4 ? `•••• ${one.card.last4}` : <bdi>{one.card.externalId}</bdi>}
                </span>
                <span className="block text-small text-ink-3">{one.connection.name}</span>
              </Td>
              <Td className="max-tablet:hidden">
                <Merchant name={one.card.merchantName} />
              </Td>
              <Td align="right" className="max-phone:hidden">
                {one.card.amount === null ? (
                  '–'
                ) : (
                  <Amount value={one.card.amount} currency={one.card.currency} struck />
                )}
              </Td>
              <Td className="max-tablet:hidden">
                <When at={one.card.lastAt} ago />
              </Td>
              <Td align="right">
                <Button
                  aria-label={`Register ${one.card.last4 ?? one.card.externalId}`}
                  disabledReason={may.reason}
                  onClick={() => onRegister(one)}
                  size="sm"
                >
                  Register
                </Button>
              </Td>
            </Row>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

/** The merchant's name as the issuer wrote it. A press puts it into the vendor directory. */
function Merchant({ name }: { readonly name: string | null }) {
  if (name === null) return '–'
  return (
    <Link to="/vendors" search={{ new: '1', descriptor: name }} title="Add it to the vendors">
      <bdi>{showControls(name)}</bdi>
    </Link>
  )
}

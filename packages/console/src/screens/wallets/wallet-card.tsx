import type { WalletWithBalances } from '@purser/sdk'
import { QrCode } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Id } from '../../parts/id.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Row, Table, Td, Th } from '../../ui/table.tsx'
import { actorWords } from '../../words/leaf-sentences.ts'
import { formatAmount } from '../../words/money.ts'
import { networkName } from './networks.ts'

const QrSquare = lazy(() => import('./qr-square.tsx').then((one) => ({ default: one.QrSquare })))

const TYPES = { local: 'Key in the gateway', remote: 'Own signer' } as const

/** One wallet: where to send money, and how much there is on each network. */
export function WalletCard({ wallet }: { readonly wallet: WalletWithBalances }) {
  const { id, name, type, address, signerUrl, balances, createdAt, createdBy } = wallet
  const [hasQr, setQr] = useState(false)
  return (
    <Card aria-label={name}>
      <CardHeader
        title={<bdi>{name}</bdi>}
        note={TYPES[type]}
        action={
          <Link to="/audit" search={{ subject: id }}>
            History
          </Link>
        }
      />
      <CardBody>
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <Id value={address} whole />
          <Button
            aria-expanded={hasQr}
            icon={<QrCode aria-hidden size={14} />}
            onClick={() => setQr(!hasQr)}
            size="sm"
          >
            {hasQr ? 'Hide QR code' : 'Show QR code'}
          </Button>
        </div>
        {hasQr ? (
          <Suspense fallback={<div className="size-44" />}>
            <QrSquare text={address} label={`QR code of the address of ${name}`} />
          </Suspense>
        ) : null}
        <DescriptionList
          rows={[
            {
              label: 'Signer',
              value: signerUrl === null ? null : <span className="wrap-anywhere">{signerUrl}</span>,
            },
            {
              label: 'Created',
              value: (
                <>
                  <When at={createdAt} ago />
                  {createdBy === null ? '' : ` by ${actorWords(createdBy, wallet.createdByName)}`}
                </>
              ),
            },
          ]}
        />
      </CardBody>
      {balances.length === 0 ? (
        <p className="border-t border-line px-3.5 py-2.5 text-ink-2">
          No network is configured, so this wallet cannot pay. The operator sets the networks of
          x402 at the start of the gateway.
        </p>
      ) : (
        <Table caption={`Balances of ${name}`} inCard className="border-t border-line">
          <thead>
            <tr>
              <Th>Network</Th>
              <Th>Token</Th>
              <Th align="right">Balance</Th>
            </tr>
          </thead>
          <tbody>
            {balances.map(({ network, asset, symbol, balance }) => (
              <Row key={`${network} ${asset}`}>
                <Td title={network}>{networkName(network)}</Td>
                <Td>{symbol}</Td>
                <Td align="right">
                  {balance === null ? (
                    <span className="text-ask">The chain did not answer.</span>
                  ) : (
                    <span className="font-medium">{formatAmount(balance, symbol)}</span>
                  )}
                </Td>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

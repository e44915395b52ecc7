import type { PurserError, Vendor } from '@purser/sdk'
import { Pencil, TriangleAlert } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useTitle } from '../../page/use-title.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Id } from '../../parts/id.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { actorWords } from '../../words/leaf-sentences.ts'
import { countOf } from '../../words/text.ts'
import { aliasText } from './vendor-form.ts'

interface VendorDrawerProps {
  readonly vendor: Vendor | null | undefined
  readonly isMissing: boolean
  readonly error: PurserError | null
  readonly onRetry: () => void
  readonly onEdit: () => void
  readonly onRotate: () => void
  readonly onClose: () => void
}

/** One vendor: who it is, and who may be paid there. */
export function VendorDrawer(props: VendorDrawerProps) {
  const { vendor, isMissing, error, onRetry, onEdit, onRotate, onClose } = props
  const may = useMay('vendors:write')
  useTitle(`${vendor?.host ?? 'Vendor'} · Vendors`)
  return (
    <Drawer
      open
      onClose={onClose}
      label={vendor?.host ?? 'Vendor'}
      header={
        <h2 tabIndex={-1}>
          <bdi>{vendor?.host ?? 'Vendor'}</bdi>
        </h2>
      }
      footer={
        vendor ? (
          <>
            <Button
              icon={<Pencil aria-hidden size={14} />}
              onClick={onEdit}
              disabledReason={may.reason}
            >
              Change vendor
            </Button>
            <CopyCurl request={{ method: 'GET', path: `/vendors?host=${vendor.host}` }} />
          </>
        ) : undefined
      }
    >
      {vendor ? <Content vendor={vendor} onRotate={onRotate} reason={may.reason} /> : null}
      {vendor ? null : (
        <DrawerSection>
          {isMissing ? (
            <Notice title="There is no such vendor.">
              It may belong to a different organization.
            </Notice>
          ) : error ? (
            <ErrorNotice title="The vendor could not be loaded." error={error} onRetry={onRetry} />
          ) : (
            <Skeleton rows={6} />
          )}
        </DrawerSection>
      )}
    </Drawer>
  )
}

interface ContentProps {
  readonly vendor: Vendor
  readonly onRotate: () => void
  readonly reason: string | undefined
}

function Content({ vendor, onRotate, reason }: ContentProps) {
  const { host, name, category, x402Payees, cardAliases, updatedAt, updatedBy } = vendor
  return (
    <>
      <DrawerSection>
        <p className="text-read text-pretty">{sentenceOf(vendor)}</p>
        <p className="mt-2 flex flex-wrap gap-x-4 leading-6">
          <Link to="/transactions" search={{ vendor: host }}>
            Transactions at this vendor
          </Link>
          <Link to="/audit" search={{ subject: vendor.id }}>
            History in the audit log
          </Link>
        </p>
      </DrawerSection>
      <DrawerSection title="Details">
        <DescriptionList
          rows={[
            { label: 'Name', value: name === null ? null : <bdi>{name}</bdi> },
            { label: 'Category', value: category },
            { label: 'Changed', value: <When at={updatedAt} ago /> },
            {
              label: 'Changed by',
              value: updatedBy && actorWords(updatedBy, vendor.updatedByName),
            },
            { label: 'Id', value: <Id value={vendor.id} /> },
          ]}
        />
      </DrawerSection>
      <DrawerSection title="x402 payees">
        {x402Payees.length === 0 ? (
          <p className="text-ink-2">Payments may go to every address.</p>
        ) : (
          <ul className="grid gap-2">
            {x402Payees.map(({ network, address }) => (
              <li key={`${network} ${address}`}>
                <span className="block text-small text-ink-3">{network}</span>
                <Id value={address} whole />
              </li>
            ))}
          </ul>
        )}
      </DrawerSection>
      <DrawerSection title="Card names">
        {cardAliases.length === 0 ? (
          <p className="text-ink-2">Card payments are not matched to this vendor by a name.</p>
        ) : (
          <ul>
            {cardAliases.map((alias) => (
              <li key={aliasText(alias)}>
                <bdi className="font-mono text-small">{aliasText(alias)}</bdi>
              </li>
            ))}
          </ul>
        )}
      </DrawerSection>
      <Shop vendor={vendor} onRotate={onRotate} reason={reason} />
    </>
  )
}

function Shop({ vendor: { acp, host }, onRotate, reason }: ContentProps) {
  if (acp === null) return null
  const overdue = acp.health?.heldPastEnd ?? 0
  return (
    <DrawerSection title="ACP shop">
      {overdue > 0 ? (
        <Notice tone="ask" className="mb-3" icon={<TriangleAlert aria-hidden size={16} />}>
          {countOf(overdue, 'checkout')} held budget past the end of the payment token.{' '}
          <Link to="/transactions" search={{ vendor: host, status: 'held' }}>
            See the holds
          </Link>
        </Notice>
      ) : null}
      <DescriptionList
        rows={[
          { label: 'API', value: <span className="wrap-anywhere">{acp.apiBaseUrl}</span> },
          { label: 'Version', value: acp.version },
          { label: 'Merchant ids', value: acp.merchantIds.join(', ') },
          { label: 'Bearer token', value: `ends in ${acp.credentialHint}` },
          {
            label: 'Event secret',
            value: acp.webhookSecretHint && `ends in ${acp.webhookSecretHint}`,
          },
          { label: 'Order URL', value: <span className="wrap-anywhere">{acp.orderUrl}</span> },
        ]}
      />
      <Button className="mt-3" size="sm" onClick={onRotate} disabledReason={reason}>
        Rotate the order URL…
      </Button>
    </DrawerSection>
  )
}

/** Who this is, and who may be paid there. */
function sentenceOf({ host, name, category, x402Payees }: Vendor): string {
  const who = name === null ? host : `${name} (${host})`
  const use = category === null ? 'has no category' : `counts as ${category}`
  const pay =
    x402Payees.length === 0
      ? 'x402 payments to it may go to every address'
      : `x402 payments to it may go only to ${countOf(x402Payees.length, 'address', 'addresses')}`
  return `${who} ${use}; ${pay}.`
}

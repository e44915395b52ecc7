import type { Vendor } from '@purser/sdk'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Link } from '../../router/link.tsx'
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table.tsx'
import { formatCount } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import type { useVendors } from './use-vendors.ts'
import { aliasText } from './vendor-form.ts'

interface VendorListProps {
  readonly list: ReturnType<typeof useVendors>
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
  readonly empty: ReactNode
}

const NONE = <span className="text-ink-3">–</span>

const COLUMNS: readonly VirtualColumn<Vendor>[] = [
  { id: 'host', header: 'Host', cut: true, cell: (vendor) => <VendorLink vendor={vendor} /> },
  {
    ...{ id: 'name', header: 'Name', cut: true, width: '16%', hideBelow: 'tablet' },
    cell: ({ name }) => (name === null ? NONE : <bdi>{name}</bdi>),
  },
  {
    ...{ id: 'category', header: 'Category', cut: true, width: '14%' },
    cell: ({ category }) => category ?? NONE,
  },
  {
    ...{ id: 'payees', header: 'x402 payees', width: '8.5rem', hideBelow: 'laptop' },
    cell: ({ x402Payees: { length } }) =>
      length === 0 ? (
        <span className="text-ink-3">Any address</span>
      ) : (
        countOf(length, 'address', 'addresses')
      ),
  },
  {
    ...{ id: 'aliases', header: 'Card names', cut: true, width: '18%', hideBelow: 'laptop' },
    cell: ({ cardAliases }) =>
      cardAliases.length === 0 ? NONE : <bdi>{cardAliases.map(aliasText).join(', ')}</bdi>,
  },
  {
    ...{ id: 'shop', header: 'ACP shop', width: '6rem', hideBelow: 'tablet' },
    cell: ({ acp }) => (acp === null ? NONE : 'Yes'),
  },
]

/** The drawer says the rest. */
const BESIDE_DRAWER = COLUMNS.flatMap((column) => {
  const width = { host: undefined, name: '28%', category: '26%' }
  return column.id in width ? [{ ...column, width: width[column.id as keyof typeof width] }] : []
})

export function VendorList({ list, openId, onOpen, empty }: VendorListProps) {
  return (
    <VirtualTable<Vendor>
      label="Vendors"
      columns={openId === undefined ? COLUMNS : BESIDE_DRAWER}
      rows={list.rows}
      rowKey={({ id }) => id}
      selectedKey={openId ?? null}
      onRowClick={({ id }) => onOpen(id)}
      onEndReached={list.more}
      loading={list.isLoading}
      stale={list.isStale}
      narrow={(vendor) => (
        <span className="block min-w-0">
          <VendorLink vendor={vendor} />
          <span className="block truncate text-small text-ink-3">
            {[vendor.name, vendor.category].filter(Boolean).join(' · ') || 'No category'}
          </span>
        </span>
      )}
      error={
        list.error ? (
          <div className="p-4 tablet:p-6">
            <ErrorNotice
              title="The directory could not be loaded."
              error={list.error}
              onRetry={list.reload}
            />
          </div>
        ) : undefined
      }
      empty={empty}
      footer={
        list.hasMore ? (
          <p className="px-4 py-2.5 text-small text-ink-3 tablet:px-6">
            {formatCount(list.all.length)} loaded, more follow
          </p>
        ) : undefined
      }
    />
  )
}

function VendorLink({ vendor: { id, host } }: { readonly vendor: Vendor }) {
  return (
    <Link
      to="/vendors/$id"
      params={{ id }}
      search={true}
      data-row={id}
      className="block truncate font-medium text-ink hover:text-accent"
    >
      <bdi>{host}</bdi>
    </Link>
  )
}

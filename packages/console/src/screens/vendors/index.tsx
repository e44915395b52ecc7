import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useTitle } from '../../page/use-title.ts'
import { curlOf } from '../../parts/curl.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { countOf } from '../../words/text.ts'
import { useVendorAddress, type VendorSearch } from './use-vendor-address.ts'
import { useVendor, useVendors } from './use-vendors.ts'
import { VendorDrawer } from './vendor-drawer.tsx'
import { VendorFilters } from './vendor-filters.tsx'
import { type Layer, NO_LAYER, VendorLayers } from './vendor-layers.tsx'
import { VendorList } from './vendor-list.tsx'

/** The directory of vendors: who they are, and who may be paid there. */
export function Vendors() {
  const { search, id, isNew, go, open, close } = useVendorAddress()
  const may = useMay('vendors:write')
  const list = useVendors(search.category, isNew ? undefined : search.host)
  const [layer, setLayer] = useState<Layer>(NO_LAYER)
  useTitle('Vendors')
  const closeLayer = async () => {
    setLayer(NO_LAYER)
    const filled = { new: undefined, payee: undefined, descriptor: undefined, host: undefined }
    if (isNew) await go(filled, true)
  }
  const listed = list.all.find((one) => one.id === id)
  const { vendor, isMissing, error, reload } = useVendor(id, listed)
  return (
    <div className="flex min-h-104 flex-1 max-tablet:h-[calc(100dvh-6.75rem)] max-tablet:flex-none tablet:min-h-0 print:block print:h-auto">
      <div className="flex min-w-0 flex-1 flex-col">
        <PageHeader title="Vendors" after={list.total && countOf(list.total, 'vendor')}>
          <Button
            icon={<Plus aria-hidden size={14} />}
            onClick={() => void go({ new: '1' })}
            disabledReason={may.reason}
            variant="primary"
          >
            Add vendor
          </Button>
        </PageHeader>
        <VendorFilters
          search={search}
          vendors={list.all}
          onChange={(...change) => void go(...change)}
        />
        <VendorList
          {...{ list, openId: id, onOpen: open }}
          empty={emptyOf(search, () => void go({ host: undefined, category: undefined }))}
        />
      </div>
      {id === undefined ? null : (
        <VendorDrawer
          {...{ vendor, isMissing, error }}
          onRetry={reload}
          onEdit={() => setLayer({ kind: 'edit' })}
          onRotate={() => setLayer({ kind: 'rotate' })}
          onClose={close}
        />
      )}
      <VendorLayers
        {...{ search, vendor, layer, setLayer, mayWrite: may.isAllowed }}
        onClose={closeLayer}
      />
    </div>
  )
}

function emptyOf({ host, category }: VendorSearch, onClear: () => void): ReactNode {
  if (!host && !category) return <NothingYet />
  return (
    <Empty
      title="No vendor fits these filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  )
}

function NothingYet() {
  return (
    <Empty
      title="Vendors that you describe appear here."
      command={curlOf({
        ...{ method: 'POST', path: '/vendors' },
        body: { host: 'api.example.com', category: 'data' },
      })}
    >
      A vendor’s entry gives it a category, the addresses that x402 payments may go to, and its name
      on card statements.
    </Empty>
  )
}

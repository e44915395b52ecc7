import type { Vendor } from '@purser/sdk'
import { type Dispatch, lazy, type SetStateAction, Suspense } from 'react'
import type { VendorSearch } from './use-vendor-address.ts'

const VendorDialog = lazy(() =>
  import('./vendor-dialog.tsx').then((one) => ({ default: one.VendorDialog })),
)
const RotateOrderUrl = lazy(() =>
  import('./rotate-order-url.tsx').then((one) => ({ default: one.RotateOrderUrl })),
)
const SecretOnce = lazy(() =>
  import('../../parts/secret/secret-once.tsx').then((one) => ({ default: one.SecretOnce })),
)

/** The layer over the page. The token of an order URL is in the answer that makes it, and only there. */
export type Layer =
  | { readonly kind: 'none' | 'edit' | 'rotate' }
  | { readonly kind: 'url'; readonly url: string }

export const NO_LAYER: Layer = { kind: 'none' }

interface VendorLayersProps {
  readonly search: VendorSearch
  readonly vendor: Vendor | null | undefined
  readonly layer: Layer
  /** False: the address asks for a form that this member cannot send. */
  readonly mayWrite: boolean
  readonly setLayer: Dispatch<SetStateAction<Layer>>
  /** Resolves when the address has changed too. */
  readonly onClose: () => Promise<void>
}

/** The form, the rotation and the URL that is shown once, over the page. */
export function VendorLayers(props: VendorLayersProps) {
  const { search, vendor, layer, setLayer, onClose, mayWrite } = props
  const isNew = search.new !== undefined && mayWrite
  const close = () => void onClose()
  async function showUrl({ acp }: Vendor) {
    // The page moves first: the dialog with the URL holds the page until the URL is copied.
    await onClose()
    if (acp && !acp.orderUrl.includes('…')) setLayer({ kind: 'url', url: acp.orderUrl })
  }
  return (
    <Suspense fallback={null}>
      {isNew || (layer.kind === 'edit' && vendor) ? (
        <VendorDialog
          vendor={isNew ? undefined : (vendor ?? undefined)}
          given={isNew ? givenBy(search) : {}}
          onSaved={(saved) => void showUrl(saved)}
          onClose={close}
        />
      ) : null}
      {layer.kind === 'rotate' && vendor ? (
        <RotateOrderUrl
          vendor={vendor}
          onUrl={(url) => setLayer({ kind: 'url', url })}
          // The URL may be shown already, and stays.
          onClose={() => setLayer((now) => (now.kind === 'rotate' ? NO_LAYER : now))}
        />
      ) : null}
      {layer.kind === 'url' ? (
        <SecretOnce
          title="Here is the order URL of the shop"
          description="Give it to the merchant now. Purser shows the token in it only once."
          noun="URL"
          secret={layer.url}
          onClose={close}
        />
      ) : null}
    </Suspense>
  )
}

/** A rejected payee or an unknown card name fills the form by its link. */
function givenBy({ host = '', payee = '', descriptor = '', category = '' }: VendorSearch) {
  return { host, payees: payee, aliases: descriptor, category }
}

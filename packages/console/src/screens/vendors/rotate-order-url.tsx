import type { Vendor } from '@purser/sdk'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { errorSentence } from '../../words/errors.ts'

interface RotateProps {
  readonly vendor: Vendor
  readonly onUrl: (url: string) => void
  readonly onClose: () => void
}

const BODY = { acp: { rotateOrderToken: true } } as const

/** Makes a new URL for the order events of a shop. */
export function RotateOrderUrl({ vendor, onUrl, onClose }: RotateProps) {
  const rotate = useAction({
    run: (id: string, options) => purser.vendors.update(id, BODY, options),
    sentence: `Rotate the order URL of ${vendor.host}`,
    touches: [['vendors']],
    onDone: ({ acp }) => acp && onUrl(acp.orderUrl),
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Rotate the order URL of ${vendor.host}?`}
      effect="Purser makes a new URL for the merchant’s order events. The old one works for 24 more hours, so that you can hand over the new one."
      action={{
        label: 'Rotate the order URL',
        onConfirm: async () => {
          if (!(await rotate.start(vendor.id))) throw new Error('The order URL was not rotated.')
        },
      }}
      aside={<CopyCurl request={{ method: 'PATCH', path: `/vendors/${vendor.id}`, body: BODY }} />}
      error={rotate.error ? errorSentence(rotate.error) : undefined}
    />
  )
}

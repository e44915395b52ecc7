import type { WebhookDeliveryDetail } from '@purser/sdk'
import { Send } from 'lucide-react'
import { purser } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/button.tsx'
import { errorSentence } from '../../../words/errors.ts'

/** Sends a delivery again, or opens the transaction that it is about. */
export function DeliveryActions({ delivery }: { readonly delivery: WebhookDeliveryDetail }) {
  const may = useMay('webhooks:write')
  const { id, transactionId } = delivery
  const resend = useAction({
    run: (_: undefined, options) => purser.webhooks.deliveries.redeliver(id, undefined, options),
    sentence: 'Send a delivery again.',
    touches: [['deliveries']],
    done: () => 'Sent again. The attempt appears in a moment.',
  })
  return (
    <>
      {resend.error ? (
        <p className="w-full text-small text-no" role="alert">
          {errorSentence(resend.error)}
        </p>
      ) : null}
      <Button
        busy={resend.isBusy}
        disabledReason={may.reason}
        icon={<Send aria-hidden="true" size={14} strokeWidth={1.5} />}
        onClick={() => void resend.start(undefined)}
        variant="primary"
      >
        Send again now
      </Button>
      {transactionId === null || delivery.test ? null : (
        <Button render={<Link params={{ id: transactionId }} to="/transactions/$id" />}>
          Open the transaction
        </Button>
      )}
      <CopyCurl request={{ method: 'POST', path: `/webhooks/deliveries/${id}/redeliver` }} />
    </>
  )
}

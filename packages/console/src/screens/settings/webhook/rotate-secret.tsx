import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { SecretOnce } from '../../../parts/secret/secret-once.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { Snippets } from '../../../ui/snippets.tsx'
import { VERIFY_SNIPPETS } from './verify-snippets.ts'

const GRACES = [
  { value: '0', title: 'It stops signing at once', warns: true },
  { value: '3600', title: 'It also signs for 1 hour' },
  { value: '43200', title: 'It also signs for 12 hours' },
  { value: '86400', title: 'It also signs for 24 hours' },
] as const

interface RotateSecretProps {
  /** Absent for the first endpoint. */
  readonly endpointId?: string | undefined
  readonly onClose: () => void
}

/** Makes a new signing secret, and shows it once. */
export function RotateSecret({ endpointId, onClose }: RotateSecretProps) {
  const [grace, setGrace] = useState<(typeof GRACES)[number]['value']>('3600')
  const [secret, setSecret] = useState<string | null>(null)
  const body = {
    gracePeriodSeconds: Number(grace),
    ...(endpointId === undefined ? {} : { endpointId }),
  }
  const rotate = useAction({
    run: (input: typeof body, options) => purser.organization.rotateWebhookSecret(input, options),
    sentence: 'Rotate the signing secret of the webhook.',
    touches: [['organization']],
    onDone: ({ webhookSecret }) => setSecret(webhookSecret),
  })
  function close() {
    rotate.reset()
    onClose()
  }
  if (secret !== null) {
    return (
      <SecretOnce
        description="Copy it now, and give it to your server. Purser stores it encrypted and never shows it again."
        noun="secret"
        onClose={close}
        secret={secret}
        title="Here is the new signing secret"
      >
        {() => <Snippets label="Verify a webhook" tabs={VERIFY_SNIPPETS} />}
      </SecretOnce>
    )
  }
  return (
    <Dialog
      description="From now on, Purser signs everything with a new secret, also retries of older events."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              request={{ method: 'POST', path: '/organization/webhook-secret/rotate', body }}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={rotate.isBusy} type="submit" variant="primary">
            Rotate the secret
          </Button>
        </>
      }
      onClose={onClose}
      onSubmit={() => void rotate.start(body)}
      open
      size="sm"
      title="Rotate the signing secret?"
    >
      <div className="grid gap-3.5">
        <RadioCards label="The old secret" onChange={setGrace} options={GRACES} value={grace} />
        <Notice icon={<TriangleAlert aria-hidden="true" size={16} />} tone="ask">
          Servers that check <code>X-Service-Signature</code> refuse events until they have the new
          secret, because that header holds one signature. Purser sends refused events again.
        </Notice>
        <ErrorNotice error={rotate.error} title="The secret was not rotated." />
      </div>
    </Dialog>
  )
}

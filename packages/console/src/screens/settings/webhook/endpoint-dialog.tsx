import type { Organization, WebhookEndpoint, WebhookEndpointInput } from '@purser/sdk'
import { useRef, useState } from 'react'
import { SecretOnce } from '../../../parts/secret/secret-once.tsx'
import { UrlFormDialog } from '../../../parts/url-form-dialog.tsx'
import { Snippets } from '../../../ui/snippets.tsx'
import { fieldError } from '../../../words/errors.ts'
import { withEndpoint } from './endpoint-list.ts'
import { ALL_KINDS } from './event-groups.ts'
import { KindsField } from './kinds-field.tsx'
import { useEndpoints } from './use-endpoints.ts'
import { VERIFY_SNIPPETS } from './verify-snippets.ts'

interface EndpointDialogProps {
  readonly organization: Organization
  /** Absent for a new endpoint. */
  readonly endpoint?: WebhookEndpoint
  readonly onClose: () => void
}

/** Creates or changes an endpoint. The secret of a new one is shown once. */
export function EndpointDialog({ organization, endpoint, onClose }: EndpointDialogProps) {
  const form = useForm(organization, endpoint)
  const [secret, setSecret] = useState<string | null>(null)
  const save = useEndpoints({
    sentence: endpoint ? 'Change a webhook endpoint.' : `Send events to ${form.url.trim()} too.`,
    ...(endpoint && { done: 'The endpoint is saved.' }),
    onDone: ({ webhookEndpoints }) => {
      const created = webhookEndpoints.find((one) => one.secret !== undefined)
      if (created?.secret === undefined) onClose()
      else setSecret(created.secret)
    },
  })
  function close() {
    save.reset()
    onClose()
  }
  if (secret !== null) {
    return (
      <SecretOnce
        description="Copy it now, and give it to your server. Purser stores it encrypted and never shows it again."
        noun="secret"
        onClose={close}
        secret={secret}
        title="Here is the secret of the new endpoint"
      >
        {() => <Snippets label="Verify a webhook" tabs={VERIFY_SNIPPETS} />}
      </SecretOnce>
    )
  }
  const place = form.list.findIndex(({ id }) => id === endpoint?.id)
  const urlError = form.error ?? fieldError(save.error, `/webhookEndpoints/${place}/url`)
  return (
    <UrlFormDialog
      curl={{
        disabledReason: form.url.trim() === '' ? NO_URL : undefined,
        request: { method: 'PATCH', path: '/organization', body: { webhookEndpoints: form.list } },
      }}
      description="Purser sends the kinds that you choose, signed with a secret of this endpoint alone."
      fields={<KindsField chosen={form.chosen} isDisabled={false} onChange={form.setChosen} />}
      onClose={onClose}
      onSubmit={() => form.submit(save.start)}
      save={{
        verb: endpoint ? 'Save the endpoint' : 'Add the endpoint',
        isBusy: save.isBusy,
        error: save.error,
        failed: 'The endpoint was not saved.',
      }}
      title={endpoint ? 'Change the endpoint' : 'Add an endpoint'}
      url={{
        ...{ value: form.url, onChange: form.setUrl, field: form.field, error: urlError },
        help: 'HTTPS, at an address that the gateway can reach.',
        placeholder: 'https://hooks.example.com/purser',
      }}
    />
  )
}

const NO_URL = 'Enter a URL.'
/** The kinds of a new endpoint: decisions and budgets. */
const USUAL_KINDS = 4

function useForm(organization: Organization, endpoint: WebhookEndpoint | undefined) {
  const field = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const usual = endpoint?.events ?? ALL_KINDS.slice(0, USUAL_KINDS)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(usual))
  const [isAsked, setAsked] = useState(false)
  const isMissing = url.trim() === ''
  const list = withEndpoint(organization, {
    ...(endpoint && { id: endpoint.id }),
    url: url.trim(),
    events: ALL_KINDS.filter((kind) => chosen.has(kind)),
  })
  async function submit(start: (list: readonly WebhookEndpointInput[]) => Promise<unknown>) {
    setAsked(true)
    if (isMissing || (await start(list)) === undefined) field.current?.focus()
  }
  const error = isAsked && isMissing ? NO_URL : undefined
  return { field, url, setUrl, chosen, setChosen, list, submit, error }
}

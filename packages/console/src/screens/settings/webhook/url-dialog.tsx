import type { Organization } from '@purser/sdk'
import { useRef, useState } from 'react'
import { purser } from '../../../data/client.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { UrlFormDialog } from '../../../parts/url-form-dialog.tsx'
import { fieldError } from '../../../words/errors.ts'
import { TestResult } from './test-result.tsx'

interface UrlDialogProps {
  readonly organization: Organization
  readonly onClose: () => void
}

/** Changes the URL, sends a test at once and shows its answer. An empty URL stops webhooks. */
export function UrlDialog({ organization, onClose }: UrlDialogProps) {
  const { save, test, testId } = useSaveAndTest(onClose)
  const field = useRef<HTMLInputElement>(null)
  const [isAsked, setAsked] = useState(false)
  const { url, setUrl, webhookUrl, hadUrl, isMissing, isRemoval } = useUrlForm(
    organization.webhookUrl,
  )
  const urlError = isAsked && isMissing ? NO_URL : fieldError(save.error, '/webhookUrl')
  async function submit() {
    setAsked(true)
    if (isMissing) return field.current?.focus()
    if ((await save.start({ webhookUrl })) === undefined) field.current?.focus()
  }
  const isSaved = testId !== null && webhookUrl === organization.webhookUrl
  return (
    <UrlFormDialog
      close={isSaved ? 'Close' : 'Cancel'}
      curl={{
        disabledReason: isMissing ? NO_URL : undefined,
        request: { method: 'PATCH', path: '/organization', body: { webhookUrl } },
      }}
      description="Purser sends each event as a signed POST. Saving sends a test event at once."
      onClose={onClose}
      onSubmit={submit}
      save={{
        verb: verbOf(isRemoval, isSaved),
        variant: isRemoval ? 'danger-solid' : 'primary',
        isBusy: save.isBusy || test.isBusy,
        error: save.error,
        failed: 'The URL was not saved.',
      }}
      title={hadUrl ? 'Change the webhook URL' : 'Enter the webhook URL'}
      url={{
        ...{ value: url, onChange: setUrl, field, error: urlError },
        help: isRemoval ? REMOVAL_HELP : URL_HELP,
        placeholder: 'https://hooks.example.com/purser',
      }}
    >
      <ErrorNotice error={test.error} title="The test was not sent." />
      {testId === null || save.isBusy ? null : <TestResult id={testId} />}
    </UrlFormDialog>
  )
}

/** An empty field removes a URL that was there, and is a mistake otherwise. */
function useUrlForm(saved: string | null) {
  const [url, setUrl] = useState(saved ?? '')
  const webhookUrl = url.trim() || null
  const hadUrl = saved !== null
  return {
    ...{ url, setUrl, webhookUrl, hadUrl },
    isMissing: webhookUrl === null && !hadUrl,
    isRemoval: webhookUrl === null && hadUrl,
  }
}

const NO_URL = 'Enter a URL.'
const URL_HELP =
  'HTTPS, at an address that the gateway can reach. Events that wait go to the new URL.'
const REMOVAL_HELP =
  'Without a URL, events that wait become canceled. You can send them again later.'

function verbOf(isRemoval: boolean, isSaved: boolean): string {
  if (isRemoval) return 'Stop sending events'
  return isSaved ? 'Test again' : 'Save and test'
}

function useSaveAndTest(onRemoved: () => void) {
  const [testId, setTestId] = useState<string | null>(null)
  const test = useAction({
    run: (_: undefined, options) =>
      purser.webhooks.test({ event: 'transaction.approved' }, options),
    sentence: 'Send a test event.',
    touches: [['deliveries']],
    onDone: ({ id }) => setTestId(id),
  })
  const save = useAction({
    run: (body: { readonly webhookUrl: string | null }, options) =>
      purser.organization.update(body, options),
    sentence: ({ webhookUrl }) =>
      webhookUrl === null ? 'Stop sending events.' : `Send events to ${webhookUrl}.`,
    touches: [['organization'], ['deliveries']],
    done: ({ webhookUrl }) =>
      webhookUrl === null ? 'Purser no longer sends events.' : 'The URL is saved.',
    onDone: ({ webhookUrl }) => {
      if (webhookUrl === null) onRemoved()
      else void test.start(undefined)
    },
  })
  return { save, test, testId }
}

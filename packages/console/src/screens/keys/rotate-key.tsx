import type { ApiKey, ApiKeyInput, CreatedApiKey } from '@purser/sdk'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { Select } from '../../ui/select.tsx'
import { fieldError } from '../../words/errors.ts'
import { EXPIRIES, expiryIn, lifetimeDays, OVERLAPS } from './terms.ts'

interface RotateKeyProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onMade: (key: CreatedApiKey) => void
}

/** Makes a new key with the same reach, and ends the old one after a while. */
export function RotateKey({ apiKey, onClose, onMade }: RotateKeyProps) {
  const before = lifetimeDays(apiKey)
  const [overlap, setOverlap] = useState('86400')
  const [days, setDays] = useState(before)
  // One time for the whole form: a repeated press after a lost answer must send the same request.
  const [opened] = useState(() => Date.now())
  const rotate = useAction({
    run: (body: ApiKeyInput, options) => purser.apiKeys.create(body, options),
    sentence: `Rotate the API key ${apiKey.name}.`,
    touches: [['apiKeys']],
    onDone: onMade,
  })
  const expiresAt = expiryIn(days, opened)
  const body: ApiKeyInput = {
    ...{ replaces: apiKey.id, overlapSeconds: Number(overlap) },
    ...(expiresAt === null ? {} : { expiresAt }),
  }
  const expiries = EXPIRIES.some(({ value }) => value === before)
    ? EXPIRIES
    : [{ value: before, label: `In ${before} days, as before` }, ...EXPIRIES]
  return (
    <Dialog
      description="A new key with the same name, scopes and agents takes its place. Purser shows the new key once."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl request={{ method: 'POST', path: '/api-keys', body }} />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={rotate.isBusy} type="submit" variant="primary">
            Rotate {apiKey.name}
          </Button>
        </>
      }
      onClose={onClose}
      onSubmit={() => void rotate.start(body)}
      open
      size="sm"
      title={`Rotate ${apiKey.name}?`}
    >
      <div className="grid gap-4">
        <RadioCards
          label="The old key"
          onChange={setOverlap}
          options={OVERLAPS.map(({ value, label }) => ({
            value,
            title: label,
            ...(value === '0'
              ? { warns: true, children: 'Programs that still send it fail until they change.' }
              : {}),
          }))}
          value={overlap}
        />
        <Select
          error={fieldError(rotate.error, '/expiresAt')}
          label="The new key expires"
          onChange={setDays}
          options={expiries}
          value={days}
        />
        <p className="text-small text-ink-3">
          This cannot be undone. You can revoke the old key earlier, in the list.
        </p>
        <ErrorNotice error={rotate.error} title="The key was not rotated." />
      </div>
    </Dialog>
  )
}
